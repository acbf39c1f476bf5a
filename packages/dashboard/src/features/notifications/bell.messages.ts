import { defineMessages } from '../../i18n/messages.ts'
import english from './bell.en.json'

/** Separate from the other notification texts to keep the first page load small. */
export const bellMessages = defineMessages(english, { de: () => import('./bell.de.json') })
