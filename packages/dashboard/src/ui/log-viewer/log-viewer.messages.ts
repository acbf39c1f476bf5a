import { defineMessages } from '../../i18n/messages.ts'
import english from './log-viewer.en.json'

export const logMessages = defineMessages(english, { de: () => import('./log-viewer.de.json') })
