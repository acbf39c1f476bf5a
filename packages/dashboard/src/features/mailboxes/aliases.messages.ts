import { defineMessages } from '../../i18n/messages.ts'
import english from './aliases.en.json'

export const aliasMessages = defineMessages(english, { de: () => import('./aliases.de.json') })
