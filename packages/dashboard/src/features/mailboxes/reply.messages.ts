import { defineMessages } from '../../i18n/messages.ts'
import english from './reply.en.json'

export const replyMessages = defineMessages(english, { de: () => import('./reply.de.json') })
