import { defineMessages } from '../../i18n/messages.ts'
import english from './details.en.json'

export const detailMessages = defineMessages(english, { de: () => import('./details.de.json') })
