import { z } from 'zod'
import { ConnectionSecurity } from './mailbox-imports.ts'

export const mailServices = ['IMAP', 'SMTP', 'ManageSieve'] as const

export const MailService = z.enum(mailServices)
export type MailService = z.infer<typeof MailService>

/** Field names as Outlook sends them. */
export const Autodiscover = z.object({ Protocol: z.string(), Url: z.url() })

export const MailServiceSettings = z
  .object({
    service: MailService.meta({ description: 'SMTP sends mail; ManageSieve manages filter rules and autoreplies.' }),
    host: z.string().meta({ examples: ['mail.example.com'] }),
    port: z.int().meta({ examples: [993] }),
    security: ConnectionSecurity.meta({ description: 'TLS from the first byte, or STARTTLS before login.' })
  })
  .meta({ id: 'MailServiceSettings' })
export type MailServiceSettings = z.infer<typeof MailServiceSettings>

export const ClientSettings = z
  .object({
    address: z.string().meta({ examples: ['ann@example.com'] }),
    username: z.string().meta({ description: 'The full address; the password is that of the mailbox.' }),
    services: z.array(MailServiceSettings).meta({ description: 'The recommended setting of each service first.' }),
    isTrusted: z.boolean().meta({
      description: 'Whether the host has a certificate that mail clients trust; otherwise they show a warning.'
    }),
    automatic: z.object({
      autoconfig: z.url().meta({ description: 'Autoconfig URL, for Thunderbird and others.' }),
      autodiscover: z.url().meta({ description: 'Autodiscover URL, for Outlook.' }),
      appleProfile: z.string().meta({ description: 'Open it on an iPhone, iPad or Mac; requires a session.' })
    })
  })
  .meta({ id: 'ClientSettings' })
export type ClientSettings = z.infer<typeof ClientSettings>
