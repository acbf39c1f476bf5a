import { defineMessages } from '../../i18n/messages.ts'
import english from './palette.en.json'

export const paletteMessages = defineMessages(english, { de: () => import('./palette.de.json') })
