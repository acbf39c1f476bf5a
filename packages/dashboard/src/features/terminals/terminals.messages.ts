import { defineMessages } from '../../i18n/messages.ts'
import english from './terminals.en.json'

export const terminalMessages = defineMessages(english, { de: () => import('./terminals.de.json') })
