import { defineMessages } from '../../i18n/messages.ts'
import english from './mail-queue.en.json'

export const mailQueueMessages = defineMessages(english, { de: () => import('./mail-queue.de.json') })
