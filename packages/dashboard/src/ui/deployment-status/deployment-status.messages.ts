import { defineMessages } from '../../i18n/messages.ts'
import english from './deployment-status.en.json'

export const deploymentStatusMessages = defineMessages(english, { de: () => import('./deployment-status.de.json') })
