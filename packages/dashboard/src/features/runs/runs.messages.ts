import { defineMessages } from '../../i18n/messages.ts'
import english from './runs.en.json'

export const runMessages = defineMessages(english, { de: () => import('./runs.de.json') })
