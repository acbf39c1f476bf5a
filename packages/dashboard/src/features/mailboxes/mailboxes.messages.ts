import { defineMessages } from '../../i18n/messages.ts'
import english from './mailboxes.en.json'

export const mailboxMessages = defineMessages(english, { de: () => import('./mailboxes.de.json') })
