import { certificateProblemTexts } from './certificate-texts.ts'
import { failureTexts } from './failure-texts.ts'
import { wordpressTaskProblemTexts } from './wordpress-care-texts.ts'
import { wordpressProblemTexts } from './wordpress-texts.ts'

/** Texts of notifications. A text that ends with a colon is followed by the cause. */
export const notificationTexts = {
  SCHEDULED_JOB_FAILED: 'The scheduled job {{job}} of {{project}} failed with exit status {{status}}.',
  SCHEDULED_JOB_TIMED_OUT: 'The scheduled job {{job}} of {{project}} was stopped after {{seconds}} seconds.',
  SCHEDULED_JOB_OUT_OF_MEMORY: 'The scheduled job {{job}} of {{project}} ran out of memory.',
  SCHEDULED_JOB_NOT_STARTED: 'The scheduled job {{job}} of {{project}} could not be started.',
  WORKER_CRASHING: 'The worker {{process}} of {{project}} is crash-looping. Its site is not affected.',
  ACCOUNT_RESTORED: 'The account {{email}} was restored from a backup.',
  ACCOUNT_RESTORE_FAILED: 'The restore of the account {{email}} is not complete: {{problem}}',
  BACKUP_DRILL_FAILED: 'The drill with a backup of {{project}} on {{target}} failed: {{problem}}',
  BACKUP_FAILED: 'The backup of {{project}} to {{target}} failed: {{problem}}',
  PANEL_BACKUP_FAILED: 'The backup of the panel to {{target}} failed: {{problem}}',
  DEPLOYMENT_FAILED: 'A deployment of {{project}} failed: {{reason}}',
  DEPLOYMENT_FAILED_BECAUSE: 'A deployment of {{project}} failed:',
  DEPLOYMENT_FAILED_SEE_LOG: 'A deployment of {{project}} failed. Check its log for the cause.',
  MACHINE_AWAY: 'The machine {{machine}} does not respond. Sites that keep no files are started on other machines.',
  MACHINE_BACK: 'The machine {{machine}} responds again.',
  STILL_SERVES: 'The previous release is still live.',
  DEPLOYMENT_RECOVERED: '{{project}} was deployed successfully after a failed deployment.',
  DOWN_CONNECTION_LOST: '{{url}} is down: the connection was closed before a response.',
  DOWN_TIMEOUT: '{{url}} is down: the request timed out.',
  DOWN_STATUS: '{{url}} is down: it responded with an error ({{status}}).',
  DOWN_TEXT_MISSING: '{{url}} is down: the expected text is missing from the page.',
  DOWN_TEXT_PRESENT: '{{url}} is down: the page contains the forbidden text.',
  DOWN_TLS_NAME: '{{url}} is down: its certificate does not match the hostname.',
  DOWN_TLS_EXPIRED: '{{url}} is down: its certificate expired.',
  DOWN_TLS_FAILED: '{{url}} is down: the TLS connection failed.',
  DOWN_PROXY_AWAY: '{{url}} is down: the reverse proxy is not responding.',
  DOWN_CHECKER_DELAYED: '{{url}} is down: the check could not run in time.',
  SEE_CONTAINER_LOG: 'Check the container log, or redeploy the project.',
  UP: '{{url}} is up again.',
  CERTIFICATE_EXPIRED:
    'The certificate of {{hostname}} expired on {{end}}: browsers show a warning instead of the site.',
  CERTIFICATE_EXPIRING_SOON: 'The certificate of {{hostname}} expires on {{end}}.',
  CERTIFICATE_RENEWAL_FAILING: 'The certificate of {{hostname}}, valid until {{end}}, failed to renew {{count}} times.',
  CERTIFICATE_ISSUANCE_FAILED: 'The certificate for {{hostname}} could not be issued.',
  LAST_TRY: 'Last attempt: {{problem}}',
  LAST_TRY_ENDED: 'Last attempt:',
  TRIED_NOW: 'Another attempt is in progress.',
  TRIED_AGAIN: 'The next automatic attempt is on {{day}} at {{time}} UTC.',
  UPLOAD_NEW: 'Upload a new certificate, or provision one.',
  PROVISION_AGAIN: 'There is no automatic retry: fix the cause, then provision it again.',
  RENEW: 'Renew it, or enable automatic renewal.',
  ABOVE_CPU: 'Server CPU usage is {{value}} %, above {{threshold}} % for several minutes.',
  ABOVE_RAM: 'Server memory usage is {{value}} %, above {{threshold}} % for several minutes.',
  ABOVE_DISK: 'Server disk usage is {{value}} %, above {{threshold}} % for several minutes.',
  DISK_FULL_IN_DAYS: 'At the current growth the disk of the server will be full in {{days}} days.',
  DISK_NEARLY_FULL: 'The disk at {{path}} is {{value}} % full.',
  SEE_DISK: 'See what takes the space, and clean up.',
  DISK_HAS_TIME: 'The disk of the server no longer fills up as fast.',
  DISK_HAS_ROOM: 'The disk at {{path}} has free space again.',
  SEE_FIGURES: 'Check the container metrics for the cause.',
  BELOW_CPU: 'Server CPU usage is {{value}} %, below {{threshold}} % again.',
  BELOW_RAM: 'Server memory usage is {{value}} %, below {{threshold}} % again.',
  BELOW_DISK: 'Server disk usage is {{value}} %, below {{threshold}} % again.',
  CONTAINER_OUT_OF_MEMORY: 'A process of {{project}} ran out of its {{memory}} MB of memory and was killed.',
  WORKER_OUT_OF_MEMORY:
    'A process of the worker {{process}} of {{project}} ran out of its {{memory}} MB of memory and was killed. Its site is not affected.',
  GIVE_WORKER_MORE_MEMORY: 'Give the worker more memory under Processes.',
  INSTANCE_RESTARTED: 'An instance of {{project}} had not answered for {{seconds}} seconds and was restarted.',
  IMAGE_NEWER: '{{image}}, which {{project}} runs, names a newer image: {{digest}}.',
  DEPLOY_NEWER_IMAGE: 'Deploy the project to run it.',
  GIVE_MORE_MEMORY: 'Give the project a larger size in its settings.',
  VOLUME_ABOVE_SIZE: 'The volume {{volume}} of {{project}} has {{used}} MiB; its size is {{limit}} MiB.',
  VOLUME_STOPS_PROJECT: 'Delete files or give it a larger size. If it keeps growing, the project is stopped.',
  VOLUME_STOPPED_PROJECT:
    'The project was stopped. Delete files or give the volume a larger size, then start the project.',
  CONTAINER_STOPPED: 'The container was stopped because it exceeded a disk limit.',
  CONTAINER_WROTE_BYTES: 'It has written {{written}} MiB of the allowed {{limit}} MiB.',
  CONTAINER_WROTE_FILES: 'It has {{written}} of the allowed {{limit}} files and directories.',
  CONTAINER_NEAR: 'Above a limit it will be stopped.',
  WITHOUT_WHAT_WAS_WRITTEN:
    'Files below /data do not count. Everything written elsewhere is lost with the next deployment.',
  ACCOUNT_DISK_FULL:
    'The containers of your account were stopped: your disk quota is used up and they kept writing. Delete data or ask for a higher ' +
    'quota, then start them again.',
  SIGNED_IN:
    'Your account was signed in to from {{address}} with {{agent}}. It has not been used from there in the last 90 days.',
  SIGNED_IN_FROM_UNKNOWN:
    'Your account was signed in to from an unknown address with {{agent}}. It has not been used from there in the last 90 days.',
  IF_NOT_YOU: 'If this was not you, end that session and change your password.',
  QUOTA_PROJECTS: '{{used}} of {{limit}} projects are used.',
  QUOTA_DOMAINS: '{{used}} of {{limit}} domains are used.',
  QUOTA_DATABASES: '{{used}} of {{limit}} databases are used.',
  QUOTA_MAILBOXES: '{{used}} of {{limit}} mailboxes are used.',
  QUOTA_SUB_ACCOUNTS: '{{used}} of {{limit}} sub-accounts are used.',
  QUOTA_DISK: '{{used}} of {{limit}} MB of disk space are used.',
  MAKE_ROOM: 'Delete what you no longer need, or ask for a higher quota.',
  MAIL_LIMIT:
    'The mailbox {{address}} exceeded its hourly limit of recipients. Further messages are rejected for now; mail clients usually ' +
    'retry automatically.',
  MAIL_HELD:
    'Mail sent from the mailbox {{address}} looks like spam. It was not delivered: it is held in the queue until an administrator ' +
    'releases or deletes it.',
  PASSWORD_KNOWN: 'If this was not you, someone else knows its password: change it now.',
  WRITE_TO_ADMINISTRATOR: 'If it was you, contact the administrator of this server.',
  WORDPRESS_IMPORTED: 'The WordPress site was imported into {{project}}.',
  MAILBOX_IMPORTED: 'The import from {{host}} into {{address}} is complete. Messages imported: {{count}}.',
  UPDATE: 'Version {{version}} of the panel is available; you are running {{current}}.',
  UPDATE_OF_SECURITY:
    'Version {{version}} of the panel is available and fixes a security vulnerability; you are running {{current}}.',
  UPDATE_NOTES: 'Release notes: {{url}}',
  UPGRADED: 'The panel was upgraded from version {{from}} to {{to}}.',
  UPGRADE_REVERTED:
    'Version {{to}} of the panel did not run. Version {{from}} runs again, with its database as it was. {{problem}}',
  UPGRADE_REFUSED: 'The release was not accepted, and nothing changed. {{problem}}',
  ADDRESSES_BANNED:
    'Banned after failed sign-ins: {{addresses}}. Further bans are not reported until an hour has passed without one.',
  CHANNEL_OFF:
    'Deliveries to the channel {{channel}} have failed for three days, so it was disabled. Last error: {{problem}}',
  ...failureTexts,
  ...certificateProblemTexts,
  ...wordpressProblemTexts,
  ...wordpressTaskProblemTexts
} as const
export type NotificationCode = keyof typeof notificationTexts
