import { defineMessages } from '../../i18n/messages.ts'
import english from './projects.en.json'

export const projectMessages = defineMessages(english, { de: () => import('./projects.de.json') })
