import { defineMessages } from '../../i18n/messages.ts'
import english from './details.en.json'

/** What is wrong with a value, by the codes of the contract. */
export const detailMessages = defineMessages(english, { de: () => import('./details.de.json') })
