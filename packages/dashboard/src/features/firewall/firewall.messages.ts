import { defineMessages } from '../../i18n/messages.ts'
import english from './firewall.en.json'

export const firewallMessages = defineMessages(english, { de: () => import('./firewall.de.json') })
