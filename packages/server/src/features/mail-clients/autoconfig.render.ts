import type { MailServiceSettings } from '@panel/contract/mail-clients'
import { xml, xmlDocument } from '../../text/xml.ts'

/** config-v1.1.xml (draft-ietf-mailmaint-autoconfig). Clients replace %EMAILADDRESS%. */
export function renderAutoconfig(domain: string, services: readonly MailServiceSettings[]): string {
  const ofType = (service: MailServiceSettings['service'], element: 'incomingServer' | 'outgoingServer') =>
    services
      .filter((each) => each.service === service)
      .map((each) => {
        const settings = xml`
      <hostname>${each.host}</hostname>
      <port>${each.port}</port>
      <socketType>${each.security === 'TLS' ? 'SSL' : 'STARTTLS'}</socketType>
      <authentication>password-cleartext</authentication>
      <username>%EMAILADDRESS%</username>`
        return element === 'incomingServer'
          ? xml`
    <incomingServer type="imap">${settings}
    </incomingServer>`
          : xml`
    <outgoingServer type="smtp">${settings}
    </outgoingServer>`
      })
  return xmlDocument(xml`<clientConfig version="1.1">
  <emailProvider id="${domain}">
    <domain>${domain}</domain>
    <displayName>${domain}</displayName>
    <displayShortName>${domain}</displayShortName>${ofType('IMAP', 'incomingServer')}${ofType('SMTP', 'outgoingServer')}
  </emailProvider>
</clientConfig>`)
}
