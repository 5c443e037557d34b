/** Mails about requests for one customer's data. They name no one. Pure. */
type Mail = { subject: string; text: string }

export function codeMail(business: string, code: string): Mail {
  return {
    subject: `${code} – ${business}`,
    text: [
      `${business} received a request for a copy of your personal data. To confirm that it was you, give them this code: ${code}. It is valid for 10 minutes. If you did not ask, ignore this mail: nothing is handed out.`,
      `Se pidió a ${business} una copia de sus datos personales. Para confirmar que fue usted, comuníqueles este código: ${code}. Vale 10 minutos. Si no la pidió, ignore este correo: no se entrega nada.`,
      `Foi pedida a ${business} uma cópia dos seus dados pessoais. Para confirmar que foi você, informe este código: ${code}. Ele vale por 10 minutos. Se você não pediu, ignore este e-mail: nada será entregue.`,
    ].join('\n\n'),
  }
}

export function ownersMail(
  profile: string,
  row: { id: string; law: string; due_on: string; status: string },
  link: string,
): Mail {
  const state =
    row.status === 'awaiting_identity' ? 'The person still has to be identified.' : 'The file is being built.'
  return {
    subject: `An export of a customer's data was requested for ${profile}`,
    text: [
      `A file with everything that is stored about one customer of ${profile} was requested. ${state} By the law that was stated (${row.law}) the person must get it by ${row.due_on}.`,
      `The request is ${row.id}. See it, download it or cancel it:\n${link}`,
      'You get this mail because you own the workspace. Each request and each download is in the log.',
    ].join('\n\n'),
  }
}
