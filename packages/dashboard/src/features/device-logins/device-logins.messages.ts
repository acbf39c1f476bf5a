import { defineMessages } from '../../i18n/messages.ts'
import english from './device-logins.en.json'

export const deviceLoginMessages = defineMessages(english, { de: () => import('./device-logins.de.json') })
