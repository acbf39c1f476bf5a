import { defineMessages } from '../../i18n/messages.ts'
import english from './deleted.en.json'

export const deletedMessages = defineMessages(english, { de: () => import('./deleted.de.json') })
