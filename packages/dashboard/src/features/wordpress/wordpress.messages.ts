import { defineMessages } from '../../i18n/messages.ts'
import english from './wordpress.en.json'

export const wordpressMessages = defineMessages(english, { de: () => import('./wordpress.de.json') })
