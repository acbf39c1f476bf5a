import { byWord, defineMessages } from '../../i18n/messages.ts'

export const wordpressProblemMessages = defineMessages(
  {},
  {
    de: async () => ({
      default: byWord('import', (await import('@panel/contract/wordpress-texts.de')).germanWordpressProblemTexts)
    })
  }
)
