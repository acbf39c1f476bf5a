import { defineMessages } from '../../i18n/messages.ts'
import english from './certificates.en.json'

export const certificateMessages = defineMessages(english, { de: () => import('./certificates.de.json') })
