import type { UptimeState } from '@panel/contract/uptime-checks'
import type { TranslatedTexts } from '../../text/language.ts'

export type StatusPageCode =
  | `state.${UptimeState}`
  | `all.${UptimeState}`
  | 'title'
  | 'now'
  | 'noChecks'
  | 'incidents'
  | 'noIncidents'
  | 'asOf'
  | 'days'
  | 'uptime'
  | 'unknown'
  | 'outage'
  | 'outage.ongoing'

export const statusPageTexts: TranslatedTexts<StatusPageCode> = {
  en: {
    title: '{{name}} – status',
    'state.UP': 'Up',
    'state.DOWN': 'Down',
    'state.UNKNOWN': 'Unknown',
    'state.PAUSED': 'Paused',
    'all.UP': 'All systems operational.',
    'all.DOWN': 'Some systems are down.',
    'all.UNKNOWN': 'The state of some systems is unknown.',
    'all.PAUSED': 'Checks are paused.',
    now: 'Now and in the last {{days}} days',
    noChecks: 'No checks are shown here yet.',
    incidents: 'Incidents',
    noIncidents: 'None in the last {{days}} days.',
    asOf: 'As of {{time}}. Days are those of UTC; uptime is the share of the time that is known.',
    days: 'Uptime by day over {{days}} days: {{uptime}} in total',
    uptime: 'Uptime {{uptime}}',
    unknown: 'unknown',
    outage: '{{name}} was down from {{from}} to {{to}}',
    'outage.ongoing': '{{name}} has been down since {{from}}'
  },
  de: {
    title: '{{name}} – Status',
    'state.UP': 'Erreichbar',
    'state.DOWN': 'Ausgefallen',
    'state.UNKNOWN': 'Unbekannt',
    'state.PAUSED': 'Pausiert',
    'all.UP': 'Alle Systeme sind erreichbar.',
    'all.DOWN': 'Einige Systeme sind ausgefallen.',
    'all.UNKNOWN': 'Der Zustand einiger Systeme ist unbekannt.',
    'all.PAUSED': 'Die Prüfungen sind pausiert.',
    now: 'Jetzt und in den letzten {{days}} Tagen',
    noChecks: 'Hier werden noch keine Prüfungen angezeigt.',
    incidents: 'Störungen',
    noIncidents: 'Keine in den letzten {{days}} Tagen.',
    asOf: 'Stand: {{time}}. Tage gelten nach UTC; die Verfügbarkeit ist der Anteil der Zeit, für die Ergebnisse vorliegen.',
    days: 'Verfügbarkeit nach Tagen über {{days}} Tage: insgesamt {{uptime}}',
    uptime: 'Verfügbarkeit {{uptime}}',
    unknown: 'unbekannt',
    outage: '{{name}} war von {{from}} bis {{to}} ausgefallen',
    'outage.ongoing': '{{name}} ist seit {{from}} ausgefallen'
  }
}
