/** What each tag of the document holds, in the order of a reader. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Authentication: 'Accounts are made here, sessions begin and end, and passwords are changed.',
  'Two-factor': 'Codes of an authenticator app (TOTP), and recovery codes.',
  Sessions: 'Where an account is signed in.',
  'API tokens': 'For programs, each with a scope and an end.',
  Users: 'Accounts, their roles, permissions and quotas, and what they use.',
  Projects: 'What is deployed: a site or an application, and how it is made.',
  Git: 'The repository of a project, its deploy key, and the secret of its webhook.',
  'Push notification receiver': 'What GitHub, GitLab and Bitbucket call after a push.',
  'Builds and deployments': 'From a commit to a running container, and back to one before it.',
  Containers: 'The running container of a project, and its log.',
  'Environment variables': 'What a project’s build and container get to see; values are encrypted at rest.',
  Databases: 'PostgreSQL and MariaDB databases, each with an account of its own.',
  Domains: 'Host names, the proof of their ownership, and which project they lead to.',
  'DNS records': 'Zones that the panel serves itself.',
  'SSL certificates': 'Issued by ACME, or uploaded.',
  Mail: 'Mailboxes, aliases and forwarders, and the servers that keep and send mail.',
  Files: 'The files of a project.',
  SFTP: 'The SFTP account of a user, with every project under its name.',
  WordPress: 'Whole sites out and in.',
  Audit: 'Who did what, in a chain that shows changes.',
  System: 'Health, and the records that the panel’s own domain needs.'
}
