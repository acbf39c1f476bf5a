import { defineMessages } from '../../i18n/messages.ts'
import english from './variables.en.json'

export const variableMessages = defineMessages(english, { de: () => import('./variables.de.json') })
