import type { MailServiceSettings } from '@panel/contract/mail-clients'
import { xml, xmlDocument } from '../../text/xml.ts'
import { bestOf } from './client-settings.policy.ts'

export const outlookSchema = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a'

/** Outlook settings (MS-OXDSCLI §2.2.4). Echoes `address` and does not reveal whether the mailbox exists. */
export function renderAutodiscover(address: string, services: readonly MailServiceSettings[]): string {
  const protocols = (['IMAP', 'SMTP'] as const).map((type) => {
    const { host, port, security } = bestOf(services, type)
    return xml`
      <Protocol>
        <Type>${type}</Type>
        <Server>${host}</Server>
        <Port>${port}</Port>
        <DomainRequired>off</DomainRequired>
        <LoginName>${address}</LoginName>
        <SPA>off</SPA>
        <SSL>on</SSL>
        <Encryption>${security === 'TLS' ? 'SSL' : 'TLS'}</Encryption>
        <AuthRequired>on</AuthRequired>
      </Protocol>`
  })
  return xmlDocument(xml`<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006">
  <Response xmlns="${outlookSchema}">
    <User>
      <DisplayName>${address}</DisplayName>
    </User>
    <Account>
      <AccountType>email</AccountType>
      <Action>settings</Action>${protocols}
    </Account>
  </Response>
</Autodiscover>`)
}
