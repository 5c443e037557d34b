/**
 * Microsoft Advertising's names of time zones. From "Mapping account time zone values" of Microsoft Advertising Scripts
 * (MicrosoftDocs/Advertising, CC-BY-4.0, read on 2026-11-17). Names that the page spells differently from the API, and
 * zones that have moved since (Samoa, Athens next to Minsk), follow the cities in the name.
 */
import { lookUp } from '../look-up.ts'

const zones: Readonly<Record<string, string>> = {
  AbuDhabiMuscat: 'Asia/Dubai',
  Adelaide: 'Australia/Adelaide',
  Alaska: 'America/Anchorage',
  AlmatyNovosibirsk: 'Asia/Novosibirsk',
  AmsterdamBerlinBernRomeStockholmVienna: 'Europe/Berlin',
  Arizona: 'America/Phoenix',
  AstanaDhaka: 'Asia/Dhaka',
  AthensBuckarestIstanbul: 'Europe/Athens',
  AtlanticTimeCanada: 'America/Halifax',
  AucklandWellington: 'Pacific/Auckland',
  Azores: 'Atlantic/Azores',
  Baghdad: 'Asia/Baghdad',
  BakuTbilisiYerevan: 'Asia/Baku',
  BangkokHanoiJakarta: 'Asia/Bangkok',
  BeijingChongqingHongKongUrumqi: 'Asia/Shanghai',
  BelgradeBratislavaBudapestLjubljanaPrague: 'Europe/Budapest',
  BogotaLimaQuito: 'America/Bogota',
  Brasilia: 'America/Sao_Paulo',
  Brisbane: 'Australia/Brisbane',
  BrusselsCopenhagenMadridParis: 'Europe/Paris',
  Bucharest: 'Europe/Bucharest',
  BuenosAiresGeorgetown: 'America/Argentina/Buenos_Aires',
  Cairo: 'Africa/Cairo',
  CanberraMelbourneSydney: 'Australia/Sydney',
  CapeVerdeIsland: 'Atlantic/Cape_Verde',
  CaracasLaPaz: 'America/Caracas',
  CasablancaMonrovia: 'Africa/Casablanca',
  CentralAmerica: 'America/Guatemala',
  CentralTimeUSCanada: 'America/Chicago',
  ChennaiKolkataMumbaiNewDelhi: 'Asia/Kolkata',
  ChihuahuaLaPazMazatlan: 'America/Chihuahua',
  Darwin: 'Australia/Darwin',
  EasternTimeUSCanada: 'America/New_York',
  Ekaterinburg: 'Asia/Yekaterinburg',
  FijiKamchatkaMarshallIsland: 'Pacific/Fiji',
  Greenland: 'America/Nuuk',
  GreenwichMeanTimeDublinEdinburghLisbonLondon: 'Europe/London',
  GuadalajaraMexicoCityMonterrey: 'America/Mexico_City',
  GuamPortMoresby: 'Pacific/Port_Moresby',
  HararePretoria: 'Africa/Harare',
  Hawaii: 'Pacific/Honolulu',
  HelsinkiKyivRigaSofiaTallinnVilnius: 'Europe/Kyiv',
  Hobart: 'Australia/Hobart',
  IndianaEast: 'America/Indiana/Indianapolis',
  InternationalDateLineWest: 'Etc/GMT+12',
  IrkutskUlaanBataar: 'Asia/Irkutsk',
  IslamabadKarachiTashkent: 'Asia/Tashkent',
  Jerusalem: 'Asia/Jerusalem',
  Kabul: 'Asia/Kabul',
  Kathmandu: 'Asia/Kathmandu',
  Krasnoyarsk: 'Asia/Krasnoyarsk',
  KualaLumpurSingapore: 'Asia/Singapore',
  KuwaitRiyadh: 'Asia/Riyadh',
  MidAtlantic: 'America/Noronha',
  MidwayIslandAndSamoa: 'Pacific/Pago_Pago',
  MoscowStPetersburgVolgograd: 'Europe/Moscow',
  MountainTimeUSCanada: 'America/Denver',
  Nairobi: 'Africa/Nairobi',
  Newfoundland: 'America/St_Johns',
  Nukualofa: 'Pacific/Tongatapu',
  OsakaSapporoTokyo: 'Asia/Tokyo',
  PacificTimeUSCanadaTijuana: 'America/Los_Angeles',
  Perth: 'Australia/Perth',
  Rangoon: 'Asia/Yangon',
  Santiago: 'America/Santiago',
  SarajevoSkopjeWarsawZagreb: 'Europe/Warsaw',
  Saskatchewan: 'America/Regina',
  Seoul: 'Asia/Seoul',
  SolomonIslandNewCaledonia: 'Pacific/Guadalcanal',
  SriJayawardenepura: 'Asia/Colombo',
  Taipei: 'Asia/Taipei',
  Tehran: 'Asia/Tehran',
  Vladivostok: 'Asia/Vladivostok',
  WestCentralAfrica: 'Africa/Lagos',
  Yakutsk: 'Asia/Yakutsk',
}

export const zoneOf = (name: string | null): string | null => lookUp(zones, name) ?? null
export const zoneNames = Object.keys(zones)

/** Reports spell some names differently from accounts (enums of the official Python client, 2026-05-13). */
const reportNames: Readonly<Record<string, string>> = {
  AthensBuckarestIstanbul: 'AthensIslandanbulMinsk',
  IslamabadKarachiTashkent: 'IslandamabadKarachiTashkent',
  MidwayIslandAndSamoa: 'MidwayIslandandSamoa',
  SolomonIslandNewCaledonia: 'MagadanSolomonIslandNewCaledonia',
}

/** The platform's default for accounts without a time zone. */
const DEFAULT_NAME = 'PacificTimeUSCanadaTijuana'

/** The time zone for report days; never empty, because the platform rejects that. */
export const reportZoneOf = (name: string | null): string =>
  zoneOf(name) === null ? DEFAULT_NAME : (lookUp(reportNames, name) ?? name!)
