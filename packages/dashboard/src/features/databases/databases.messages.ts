import { defineMessages } from '../../i18n/messages.ts'
import english from './databases.en.json'

export const databaseMessages = defineMessages(english, { de: () => import('./databases.de.json') })
