import { defineMessages } from '../../i18n/messages.ts'
import english from './tcp-ports.en.json'

export const tcpPortMessages = defineMessages(english, { de: () => import('./tcp-ports.de.json') })
