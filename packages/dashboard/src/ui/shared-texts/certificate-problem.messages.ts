import { byWord, defineMessages } from '../../i18n/messages.ts'

export const certificateProblemMessages = defineMessages(
  {},
  {
    de: async () => ({
      default: byWord('problem', (await import('@panel/contract/certificate-texts.de')).germanCertificateProblemTexts)
    })
  }
)
