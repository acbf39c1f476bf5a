import { defineMessages } from '../../i18n/messages.ts'
import english from './machines.en.json'

export const machineMessages = defineMessages(english, { de: () => import('./machines.de.json') })
