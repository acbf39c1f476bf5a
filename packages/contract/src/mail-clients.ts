import { z } from 'zod'

export const mailServices = ['IMAP', 'SMTP', 'ManageSieve'] as const

export const MailServiceSettings = z
  .object({
    service: z.enum(mailServices).meta({ description: 'SMTP is for sending; ManageSieve for rules and replies.' }),
    host: z.string().meta({ examples: ['mail.example.com'] }),
    port: z.int().meta({ examples: [993] }),
    security: z
      .enum(['TLS', 'STARTTLS'])
      .meta({ description: 'TLS from the first byte, or asked for before the log-in.' })
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
