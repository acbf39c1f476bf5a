import { certificateProblemTexts } from './certificate-texts.ts'
import { failureTexts } from './failure-texts.ts'
import { wordpressProblemTexts } from './wordpress-texts.ts'

/** What notifications say, sentence by sentence; after a colon goes on why that is. */
export const notificationTexts = {
  DEPLOYMENT_FAILED: 'A deployment of {{project}} failed: {{reason}}',
  DEPLOYMENT_FAILED_BECAUSE: 'A deployment of {{project}} failed:',
  DEPLOYMENT_FAILED_SEE_LOG: 'A deployment of {{project}} failed: its log says why.',
  STILL_SERVES: 'What served before still does.',
  DEPLOYMENT_RECOVERED: '{{project}} is deployed again after a deployment that failed.',
  DOWN_CONNECTION_LOST: '{{url}} is down: the connection ended before there was an answer.',
  DOWN_TIMEOUT: '{{url}} is down: there was no answer in time.',
  DOWN_STATUS: '{{url}} is down: it answers with an error ({{status}}).',
  DOWN_TEXT_MISSING: '{{url}} is down: the text that should be on the page is not there.',
  DOWN_TEXT_PRESENT: '{{url}} is down: the text that should not be on the page is there.',
  DOWN_TLS_NAME: '{{url}} is down: its certificate is for other names.',
  DOWN_TLS_EXPIRED: '{{url}} is down: its certificate has expired.',
  DOWN_TLS_FAILED: '{{url}} is down: there is no TLS to be had.',
  DOWN_PROXY_AWAY: '{{url}} is down: the proxy did not answer.',
  DOWN_CHECKER_DELAYED: '{{url}} is down: it was not asked in time.',
  SEE_CONTAINER_LOG: 'Look at the log of its container, or deploy it again.',
  UP: '{{url}} answers as it should again.',
  CERTIFICATE_EXPIRED: 'The certificate of {{hostname}} expired on {{end}}: browsers warn of the site.',
  CERTIFICATE_EXPIRING_SOON: 'The certificate of {{hostname}} expires on {{end}}.',
  CERTIFICATE_RENEWAL_FAILING:
    'The certificate of {{hostname}}, which lasts until {{end}}, could not be renewed {{count}} times.',
  CERTIFICATE_ISSUANCE_FAILED: 'There is no certificate for {{hostname}} yet.',
  LAST_TRY: 'The last try: {{problem}}',
  LAST_TRY_ENDED: 'The last try:',
  TRIED_NOW: 'It is being tried just now.',
  TRIED_AGAIN: 'It is tried again by itself on {{day}} at {{time}} UTC.',
  UPLOAD_NEW: 'Upload the new one, or provision one.',
  PROVISION_AGAIN: 'It is not tried again by itself: provision it again once the cause is removed.',
  RENEW: 'Renew it, or switch autoRenew on.',
  ABOVE_CPU: 'Processor of the server: {{value}} % in use, above {{threshold}} % for some minutes.',
  ABOVE_RAM: 'Memory of the server: {{value}} % in use, above {{threshold}} % for some minutes.',
  ABOVE_DISK: 'Disk of the server: {{value}} % in use, above {{threshold}} % for some minutes.',
  SEE_FIGURES: 'The figures of the containers say what takes it.',
  BELOW_CPU: 'Processor of the server: {{value}} % in use, below {{threshold}} % again.',
  BELOW_RAM: 'Memory of the server: {{value}} % in use, below {{threshold}} % again.',
  BELOW_DISK: 'Disk of the server: {{value}} % in use, below {{threshold}} % again.',
  CONTAINER_STOPPED: 'The container is stopped ({{limit}}).',
  CONTAINER_WROTE_BYTES:
    'The container has written {{written}} MiB of the {{limit}} MiB that it may (CONTAINER_DISK_LIMIT).',
  CONTAINER_WROTE_FILES: 'It has {{written}} of {{limit}} files and directories (CONTAINER_FILES_LIMIT).',
  CONTAINER_NEAR: 'Above a limit it is stopped.',
  WITHOUT_WHAT_WAS_WRITTEN:
    'What is below /data does not count, and a new deployment begins without what was written elsewhere.',
  ACCOUNT_DISK_FULL:
    'The containers of the account are stopped: it has no disk space left, and they went on writing. Remove what is not needed, or ask for more, and start them again.',
  SIGNED_IN: 'New sign-in from {{address}} with {{agent}}. There was none from there in the last 90 days.',
  SIGNED_IN_FROM_UNKNOWN:
    'New sign-in from an unknown address with {{agent}}. There was none from there in the last 90 days.',
  IF_NOT_YOU: 'If it was not you, end that session and change your password.',
  QUOTA_PROJECTS: '{{used}} of {{limit}} projects are used.',
  QUOTA_DOMAINS: '{{used}} of {{limit}} domains are used.',
  QUOTA_DATABASES: '{{used}} of {{limit}} databases are used.',
  QUOTA_MAILBOXES: '{{used}} of {{limit}} mailboxes are used.',
  QUOTA_SUB_ACCOUNTS: '{{used}} of {{limit}} sub-accounts are used.',
  QUOTA_DISK: '{{used}} of {{limit}} MB on the disk are used.',
  MAKE_ROOM: 'Remove what is not needed, or ask for more.',
  MAIL_LIMIT:
    'The mailbox {{address}} has tried to send to more recipients within an hour than is allowed. What goes beyond that is refused for now, and a mail program tries again by itself.',
  MAIL_HELD:
    'Mail that the mailbox {{address}} was to send looks like spam. It was not sent: it is held in the queue until the administrator of this server releases or deletes it.',
  PASSWORD_KNOWN: 'If this was not you, change your password now.',
  WRITE_TO_ADMINISTRATOR: 'If it was, write to the administrator of this server.',
  WORDPRESS_IMPORTED: 'The WordPress site is in {{project}}.',
  MAILBOX_IMPORTED: '{{count}} messages from {{host}} are in {{address}}.',
  UPDATE: 'Version {{version}} of the panel is there; this is {{current}}.',
  UPDATE_OF_SECURITY: 'Version {{version}} of the panel fixes a security issue; you run {{current}}.',
  UPDATE_NOTES: 'What is new: {{url}}',
  CHANNEL_OFF:
    'Nothing has arrived at the channel {{channel}} for three days, so it is switched off. The last word: {{problem}}',
  ...failureTexts,
  ...certificateProblemTexts,
  ...wordpressProblemTexts
} as const
export type NotificationCode = keyof typeof notificationTexts
