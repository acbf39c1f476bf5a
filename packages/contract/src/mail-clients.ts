import { z } from 'zod'
import { ConnectionSecurity } from './mailbox-imports.ts'

export const mailServices = ['IMAP', 'SMTP', 'ManageSieve'] as const

export const MailService = z.enum(mailServices)
export type MailService = z.infer<typeof MailService>

/** As Outlook asks for it. */
export const Autodiscover = z.object({ Protocol: z.string(), Url: z.url() })

export const MailServiceSettings = z
  .object({
    service: MailService.meta({ description: 'SMTP is for sending; ManageSieve for rules and replies.' }),
    host: z.string().meta({ examples: ['mail.example.com'] }),
    port: z.int().meta({ examples: [993] }),
    security: ConnectionSecurity.meta({ description: 'TLS from the first byte, or asked for before the log-in.' })
  })
  .meta({ id: 'MailServiceSettings' })
export type MailServiceSettings = z.infer<typeof MailServiceSettings>

export const ClientSettings = z
  .object({
    address: z.string().meta({ examples: ['ann@example.com'] }),
    username: z.string().meta({ description: 'The whole address; the password is that of the mailbox.' }),
    services: z.array(MailServiceSettings).meta({ description: 'Of each service the best first.' }),
    isTrusted: z.boolean().meta({
      description: 'Whether the host has a certificate that mail programs trust; they warn of it otherwise.'
    }),
    automatic: z.object({
      autoconfig: z.url().meta({ description: 'Where Thunderbird and others find this by themselves.' }),
      autodiscover: z.url().meta({ description: 'Where Outlook does.' }),
      appleProfile: z.string().meta({ description: 'To be opened on an iPhone, an iPad or a Mac; takes a session.' })
    })
  })
  .meta({ id: 'ClientSettings' })
export type ClientSettings = z.infer<typeof ClientSettings>
