import { defineMessages } from '../../i18n/messages.ts'
import english from './imports.en.json'

export const importMessages = defineMessages(english, { de: () => import('./imports.de.json') })
