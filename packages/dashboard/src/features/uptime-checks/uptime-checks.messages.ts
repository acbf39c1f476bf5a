import { defineMessages } from '../../i18n/messages.ts'
import english from './uptime-checks.en.json'

export const uptimeMessages = defineMessages(english, { de: () => import('./uptime-checks.de.json') })
