import { defineMessages } from '../../i18n/messages.ts'
import english from './dns-records.en.json'

export const dnsRecordMessages = defineMessages(english, { de: () => import('./dns-records.de.json') })
