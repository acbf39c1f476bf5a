import { defineMessages } from '../../i18n/messages.ts'
import english from './deployments.en.json'

export const deploymentMessages = defineMessages(english, { de: () => import('./deployments.de.json') })
