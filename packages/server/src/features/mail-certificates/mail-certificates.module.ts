import { feature } from '../feature.ts'
import { syncMailCertificates } from './mail-certificates.service.ts'

export const mailCertificates = feature({
  name: 'mail-certificates',
  reconcile: [
    {
      name: 'mail certificates',
      on: { tables: ['certificates', 'domains', 'mail_domains'] },
      run: syncMailCertificates
    }
  ]
})
