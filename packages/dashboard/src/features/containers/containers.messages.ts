import { defineMessages } from '../../i18n/messages.ts'
import english from './containers.en.json'

export const containerMessages = defineMessages(english, { de: () => import('./containers.de.json') })
