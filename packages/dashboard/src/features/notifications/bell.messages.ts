import { defineMessages } from '../../i18n/messages.ts'
import english from './bell.en.json'

/** Of the first page: the rest of the feature's sentences come with what they are said by. */
export const bellMessages = defineMessages(english, { de: () => import('./bell.de.json') })
