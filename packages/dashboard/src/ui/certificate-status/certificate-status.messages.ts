import { defineMessages } from '../../i18n/messages.ts'
import english from './certificate-status.en.json'

export const certificateStatusMessages = defineMessages(english, { de: () => import('./certificate-status.de.json') })
