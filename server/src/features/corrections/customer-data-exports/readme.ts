/** README.txt of the file, in English, Spanish and Portuguese. Pure. */
import { personTables } from '../person-data/list.ts'

type Manifest = {
  business: string
  law: string
  requested_on: string
  identity_method: string | null
  events_before: string | null
  possible_matches_not_exported: number
  files: readonly { name: string; section: string; records: number }[]
}
type Language = 'en' | 'es' | 'pt'

const texts: Record<
  Language,
  {
    title: (business: string) => string
    intro: string
    purpose: string
    recipients: string
    stored: (day: string | null) => string
    matches: (count: number) => string
    code: string
    records: string
  }
> = {
  en: {
    title: (business) => `Your data at ${business}`,
    intro:
      'Each file has one record per line, in JSON. manifest.json lists the files with the number of records and a SHA-256 hash. Amounts are in the currency next to them.',
    purpose:
      'Purpose: to measure which advertising leads to visits and sales. Origin: your visits, what you wrote to the business, its shop, payment and customer systems, and the advertising platforms that reported your click.',
    recipients:
      'Recipients: the platforms in sent_to and audience_lists. Nothing was sent to others by this service.',
    stored: (day) =>
      day === null
        ? 'Events are stored until they are erased.'
        : `Details of events before ${day} may already be deleted by age.`,
    matches: (count) =>
      `${count} other customer records may belong to you; that is not confirmed, so they are not part of this file.`,
    code: 'You were identified by a code mailed to the stored address. It shows who reads that mailbox, not a name.',
    records: 'records',
  },
  es: {
    title: (business) => `Sus datos en ${business}`,
    intro:
      'Cada archivo tiene un registro por línea, en JSON. manifest.json enumera los archivos con el número de registros y un hash SHA-256. Los importes están en la moneda indicada junto a ellos.',
    purpose:
      'Finalidad: medir qué publicidad lleva a visitas y ventas. Origen: sus visitas, lo que dijo a la empresa, sus sistemas de tienda, pagos y clientes, y las plataformas de publicidad que informaron su clic.',
    recipients:
      'Destinatarios: las plataformas de sent_to y audience_lists. Este servicio no envió nada a otros.',
    stored: (day) =>
      day === null
        ? 'Los eventos se guardan hasta que se borran.'
        : `Los detalles de eventos anteriores al ${day} pueden estar ya borrados por antigüedad.`,
    matches: (count) =>
      `Otros ${count} registros de cliente podrían ser suyos; no está confirmado, así que no forman parte de este archivo.`,
    code: 'Se le identificó con un código enviado a la dirección guardada. Demuestra quién lee ese buzón, no un nombre.',
    records: 'registros',
  },
  pt: {
    title: (business) => `Seus dados em ${business}`,
    intro:
      'Cada arquivo tem um registro por linha, em JSON. manifest.json lista os arquivos com o número de registros e um hash SHA-256. Os valores estão na moeda indicada ao lado.',
    purpose:
      'Finalidade: medir qual publicidade leva a visitas e vendas. Origem: suas visitas, o que você disse à empresa, os sistemas de loja, pagamento e clientes dela, e as plataformas de anúncios que informaram seu clique.',
    recipients:
      'Destinatários: as plataformas em sent_to e audience_lists. Este serviço não enviou nada a outros.',
    stored: (day) =>
      day === null
        ? 'Os eventos ficam armazenados até serem apagados.'
        : `Detalhes de eventos anteriores a ${day} podem já ter sido apagados pela idade.`,
    matches: (count) =>
      `Outros ${count} registros de cliente podem ser seus; isso não está confirmado, por isso não fazem parte deste arquivo.`,
    code: 'Você foi identificado por um código enviado ao endereço armazenado. Ele mostra quem lê essa caixa de correio, não um nome.',
    records: 'registros',
  },
}

export function readmeOf(manifest: Manifest): string {
  const recordsOf = new Map(manifest.files.map((file) => [file.section, file.records]))
  const partOf = (language: Language): string => {
    const words = texts[language]
    const sections = personTables.flatMap(({ export: shown }) =>
      'none' in shown
        ? []
        : `${shown.section} (${recordsOf.get(shown.section) ?? 0} ${words.records}): ${shown.about[language]}`,
    )
    return [
      words.title(manifest.business),
      words.intro,
      sections.join('\n'),
      words.purpose,
      words.recipients,
      words.stored(manifest.events_before),
      ...(manifest.possible_matches_not_exported > 0
        ? [words.matches(manifest.possible_matches_not_exported)]
        : []),
      ...(manifest.identity_method === 'mail_code' ? [words.code] : []),
    ].join('\n\n')
  }
  return `${(['en', 'es', 'pt'] as const).map(partOf).join('\n\n----\n\n')}\n`
}
