import { defineMessages } from '../../i18n/messages.ts'
import english from './overview.en.json'

export const overviewMessages = defineMessages(english, { de: () => import('./overview.de.json') })
