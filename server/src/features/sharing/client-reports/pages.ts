import { findMail, findReport, saveUnsubscribe } from './queries.ts'
import { unsubscribePages } from './unsubscribe-pages.ts'

export const clientReportPages = unsubscribePages({
  path: '/reports/unsubscribe/{token}',
  texts: {
    en: {
      title: 'Unsubscribe',
      ask: 'You will receive no more of these reports.',
      button: 'Unsubscribe',
      doneTitle: 'You are unsubscribed',
      done: 'You will receive no more of these reports. You can close this page.',
    },
    es: {
      title: 'Darse de baja',
      ask: 'No recibirá más estos informes.',
      button: 'Darse de baja',
      doneTitle: 'Se ha dado de baja',
      done: 'No recibirá más estos informes. Puede cerrar esta página.',
    },
  },
  unknown: 'The link is incomplete, or the report was deleted.',
  async find({ db, clock }, { profileId, mailId }) {
    const mail = await findMail(db, { profileId, id: mailId })
    if (mail === undefined) return undefined
    const report = await findReport(db, { profileIds: [mail.profile_id], id: mail.report_id })
    const unsubscribe = { profileId: mail.profile_id, recipient: mail.recipient, now: clock.now() }
    return { language: report?.language, end: () => saveUnsubscribe(db, unsubscribe) }
  },
})
