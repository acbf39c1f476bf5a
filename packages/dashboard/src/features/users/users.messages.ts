import { defineMessages } from '../../i18n/messages.ts'
import english from './users.en.json'

export const userMessages = defineMessages(english, { de: () => import('./users.de.json') })
