import { unsubscribePages } from '../client-reports/unsubscribe-pages.ts'
import { deleteReceiver, findDelivery, findReceiver } from './queries.ts'

export const briefPages = unsubscribePages({
  path: '/briefs/unsubscribe/{token}',
  texts: {
    en: {
      title: 'Stop these mails',
      ask: 'You will receive no more briefs and alerts for this profile.',
      button: 'Stop',
      doneTitle: 'You will receive no more of these mails',
      done: 'You will receive no more briefs and alerts for this profile. You can switch them on again on Overview.',
    },
    es: {
      title: 'No recibir más estos correos',
      ask: 'No recibirá más resúmenes ni alertas de este perfil.',
      button: 'Confirmar',
      doneTitle: 'Ya no recibirá estos correos',
      done: 'No recibirá más resúmenes ni alertas de este perfil. Puede volver a activarlos en Overview.',
    },
  },
  unknown: 'The link is incomplete or too old.',
  async find({ db }, { profileId, mailId }) {
    const delivery = await findDelivery(db, { profileId, id: mailId })
    if (delivery === undefined) return undefined
    const receiver = { profileId: delivery.profile_id, id: delivery.receiver_id }
    const language = (await findReceiver(db, receiver))?.language
    return { language, end: () => deleteReceiver(db, receiver) }
  },
})
