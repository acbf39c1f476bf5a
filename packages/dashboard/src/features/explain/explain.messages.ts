import { defineMessages } from '../../i18n/messages.ts'
import english from './explain.en.json'

export const explainMessages = defineMessages(english, { de: () => import('./explain.de.json') })
