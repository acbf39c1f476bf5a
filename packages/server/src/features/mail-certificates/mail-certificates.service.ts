import { mailHostname } from '../../config/mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { chooseMailCertificates } from './mail-certificate.policy.ts'
import { findCertificateContent, listCertifiedHosts, listMailDomainNames } from './mail-certificates.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'mailCertificates' | 'secretBox'>

export async function syncMailCertificates({ config, db, mailCertificates, secretBox }: Deps): Promise<void> {
  if (!config.MAIL) return
  const own = [mailHostname(config), ...(config.PANEL_DOMAIN === undefined ? [] : [config.PANEL_DOMAIN])]
  const [certified, domains] = await Promise.all([
    listCertifiedHosts(
      db,
      own.flatMap((name) => [name, `*.${name.slice(name.indexOf('.') + 1)}`])
    ),
    listMailDomainNames(db)
  ])
  await mailCertificates.sync(chooseMailCertificates(certified, { own, domains }), async (id) => {
    const content = await findCertificateContent(db, id)
    return content && { chain: content.chain, keyPem: secretBox.open(content.encryptedKey) }
  })
}
