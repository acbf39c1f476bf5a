// Made by `npm run client`; do not edit.

export interface paths {
  '/.well-known/acme-challenge/{token}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Answer an ACME HTTP-01 challenge (RFC 8555)
     * @description Answer an ACME HTTP-01 challenge (RFC 8555).
     */
    get: operations['getAcmeChallenge']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/.well-known/autoconfig/mail/config-v1.1.xml': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the mail settings of a domain for Thunderbird and others (config-v1.1.xml)
     * @description Served at `autoconfig.<domain>` and at the domain itself. The response does not depend on whether the mailbox exists.
     */
    get: operations['getWellKnownAutoconfig']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/.well-known/mta-sts.txt': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Serve the MTA-STS policy of a domain (RFC 8461)
     * @description Served at `mta-sts.<domain>`.
     */
    get: operations['getMtaStsPolicy']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The audit log, newest first
     * @description For an ADMIN: who did what, from where, to what, in a chain of hashes that shows whether entries were changed or taken out (`verifyAuditLog`). `format=csv` answers a file of all that the filters let through.
     */
    get: operations['listAuditEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/audit/me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What you did and what was done to your account, newest first
     * @description What others did to the account, an ADMIN say, is here too.
     */
    get: operations['listOwnAuditEntries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/audit/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Check that entries of the audit log follow from one another, some thousands at a time
     * @description Detects entries that were changed or removed with write access to the database alone. To detect removal of the latest entries, pass the `checkedTo` of an earlier check as `after`. Each request checks a part: repeat it with `after=<checkedTo>` until `checkedTo` is the latest entry. Use `./panel audit verify` to check archives.
     */
    get: operations['verifyAuditLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/2fa/challenge': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in with the challenge of a login and a code, or a recovery code
     * @description The challenge of `login` is good for five minutes, five tries and one sign-in. A code of the authenticator app is taken once; a recovery code is gone when it was taken.
     */
    post: operations['answerLoginChallenge']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/2fa/disable': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Turn two-factor off; ends the other sessions
     * @description Takes the password and a code of the app, or a recovery code.
     */
    post: operations['disableTwoFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/2fa/recovery-codes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make ten new recovery codes; those of before open nothing any more
     * @description Takes the password and a code of the app, or a recovery code. The new ones are shown this once.
     */
    post: operations['renewRecoveryCodes']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/2fa/setup': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make a secret; two-factor is on once verify-setup has seen a code of it
     * @description The secret is there as text and as a picture for an authenticator app. Nothing changes at the sign-in until `enableTwoFactor` has seen a code of it; asking again makes another secret.
     */
    post: operations['setUpTwoFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/2fa/verify-setup': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Turn two-factor on; ends the other sessions
     * @description Answers ten recovery codes, each for one use and shown this once.
     */
    post: operations['enableTwoFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/change-password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the password; ends the other sessions and, unless they are to stay, the API tokens
     * @description The session that asks stays. API tokens end too, unless `revokeTokens` is false.
     */
    post: operations['changePassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/config': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What a sign-in page needs to know
     * @description For sign-in pages: whether registration is open, whether the panel sends mail, and whether administrators need two-factor.
     */
    get: operations['getAuthConfig']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Show the password again, and a code where two-factor is on
     * @description Opens for a while what answers 403 FRESH_AUTH_REQUIRED otherwise: the setup of two-factor, new accounts and roles of ADMIN and RESELLER, other e-mail addresses. A sign-in does the same.
     */
    post: operations['confirmIdentity']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/forgot-password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Ask for a link by mail; answers alike whether or not there is such an account
     * @description The link is good for 30 minutes and for one use.
     */
    post: operations['requestPasswordReset']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/login': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in; with two-factor, 202 and a challenge instead of the cookie
     * @description An unknown address and a wrong password get the same answer in the same time. Where the account has two-factor there is no session yet: 202 brings a `challengeToken`, which is good for five minutes and opens nothing by itself (`answerLoginChallenge`). After several wrong passwords, tries from where the account has not signed in before have to wait.
     */
    post: operations['login']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/logout': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * End this session
     * @description The cookie opens nothing any more, on whichever process. Other sessions and API tokens go on.
     */
    post: operations['logout']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The signed-in user
     * @description The signed-in user.
     */
    get: operations['getCurrentUser']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/register': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create an account and sign in
     * @description Makes an account of the role USER with the quotas that are usual here, and signs it in. The first account of a panel is its ADMIN, whatever ALLOW_REGISTRATION says: from another machine that takes the `setupToken` of the link that `./panel up` shows.
     */
    post: operations['register']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/reset-password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set a new password by the link; ends all sessions and API tokens, two-factor stays
     * @description Set a new password by the link; ends all sessions and API tokens, two-factor stays.
     */
    post: operations['resetPassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/session/move': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make a link that continues this session at the panel domain
     * @description For the moment when the panel gets its domain and certificate: the browser opens the link, and the session goes on over HTTPS. The link works once, within a minute.
     */
    post: operations['offerSessionMove']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/session/take': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Continue a session by such a link
     * @description Sets the cookie of a new session and ends the one that the link was made in.
     */
    post: operations['takeSession']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Where you are signed in, the last used first
     * @description With the address and the program that each was last used from; `current` is the one that asks.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    /**
     * End your sessions but this one
     * @description The session that asks and all API tokens go on.
     */
    delete: operations['revokeOtherSessions']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/sessions/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End one of your sessions
     * @description It may be the session that asks, which is signed out then. API tokens are not sessions and go on.
     */
    delete: operations['revokeSession']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/tokens': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your tokens, newest first
     * @description List your tokens, newest first.
     */
    get: operations['listApiTokens']
    put?: never
    /**
     * Make a token, shown once; takes the password, and a code where two-factor is on
     * @description The token is in this answer alone; what is kept of it is a hash. `scope` says what it may do (see the security scheme `token`), and it ends after `expiresInDays`. An account has 50 at most.
     */
    post: operations['createApiToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/auth/tokens/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke a token; it is refused from the next request on
     * @description Revoke a token; it is refused from the next request on.
     */
    delete: operations['revokeApiToken']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/backups': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the backups of all projects, newest first
     * @description Also of deleted projects, as long as the target keeps them.
     */
    get: operations['listBackups']
    put?: never
    /**
     * Back up every project now
     * @description Queues a backup of each project on each target with a confirmed key. Projects whose backup is queued or running are skipped.
     */
    post: operations['startBackups']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/backups/schedule': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show when backups run and how many are kept
     * @description Applies to all projects and targets, in the time zone of the server.
     */
    get: operations['getBackupSchedule']
    /**
     * Change when backups run and how many are kept
     * @description Takes effect at once, in the time zone of the server.
     */
    put: operations['changeBackupSchedule']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/backups/targets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List backup targets
     * @description With the latest good backup and the latest problem of each. Secrets are never returned.
     */
    get: operations['listBackupTargets']
    put?: never
    /**
     * Add a backup target: a folder, SFTP, S3-compatible storage or a REST server
     * @description Creates an encrypted restic repository there and returns its key, once. Backups start after the key was confirmed with `confirmBackupTarget`. The permission canManageBackups gives access to the data of every account, because a new target receives all of it.
     */
    post: operations['createBackupTarget']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/backups/targets/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Remove a backup target
     * @description The panel forgets the target and its backups. The data on the target stays, and its key still opens it.
     */
    delete: operations['deleteBackupTarget']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/backups/targets/{id}/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm that the key of a target was kept
     * @description The key must be the one that `createBackupTarget` returned. Backups to the target start after that.
     */
    post: operations['confirmBackupTarget']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/databases': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your databases
     * @description Newest first, with passwords masked. Use `getDatabase` for the password.
     */
    get: operations['listDatabases']
    put?: never
    /**
     * Create a database and its user
     * @description Names are unique per engine on this server, case-insensitive. `autoInjectEnv` adds the seven connection variables to the project; 409 DATABASE_VARIABLES_EXIST if one of them is already set. They take effect on the next deployment.
     */
    post: operations['createDatabase']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/databases/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a database
     * @description Includes the address for containers and the one for the server itself. Showing the password is audited. Tokens without the scope `full` get the response of `secrets=false`.
     */
    get: operations['getDatabase']
    put?: never
    post?: never
    /**
     * Delete a database
     * @description Drops the database, its user and the injected variables, and closes open connections. Cannot be undone. The linked project keeps its current variables until the next deployment.
     */
    delete: operations['deleteDatabase']
    options?: never
    head?: never
    /**
     * Link or unlink a database
     * @description Removes the injected variables from the previous project, except those edited by hand. Takes effect on the next deployment. The password is masked.
     */
    patch: operations['updateDatabase']
    trace?: never
  }
  '/api/databases/{id}/rotate-password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the password
     * @description Also updates the linked project's variables and redeploys a live site from the same image. A stopped site gets the new password on its next deployment. After a 503 the panel completes the rotation on its own.
     */
    post: operations['rotateDatabasePassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/databases/{id}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Test the connection
     * @description Connects as the database's user. Connection errors, including an unreachable engine, are reported in a 200 response.
     */
    post: operations['testDatabase']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your domains
     * @description Newest first, including subdomains. A plain array; pagination is in the headers X-Total-Count and Link.
     */
    get: operations['listDomains']
    put?: never
    /**
     * Add a domain
     * @description ACTIVE immediately below one of your verified domains, otherwise PENDING until its TXT record is found. Several accounts may claim a hostname; the first to verify it gets it, the others get 409 HOSTNAME_EXISTS. You can add the same hostname again with another pathPrefix; the longest matching prefix wins.
     */
    post: operations['createDomain']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a domain
     * @description While PENDING, or ERROR after a failed check, `verificationInstructions` contains the TXT record to add. Then call `verifyDomain`.
     */
    get: operations['getDomain']
    put?: never
    post?: never
    /**
     * Delete a domain and its subdomains
     * @description Also deletes their routes, DNS records and certificates. The hostname becomes available to other accounts immediately; visitors see the panel's default page.
     */
    delete: operations['deleteDomain']
    options?: never
    head?: never
    /**
     * Change the target of a domain
     * @description Takes effect immediately. `projectId: null` detaches the project: the hostname stays reserved and answers 404.
     */
    patch: operations['updateDomain']
    trace?: never
  }
  '/api/domains/{id}/dns': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List DNS records
     * @description Sorted by name in DNS order with the apex first, then by type; the verification record comes last. Returns all records, or one page with `page` or `limit`; `Link` and `X-Total-Count` contain the pagination. Like all of these operations, 409 DNS_NOT_MANAGED if the domain's DNS is not managed by this panel.
     */
    get: operations['listDnsRecords']
    put?: never
    /**
     * Create a DNS record
     * @description The record is served when this call returns, or as soon as the name servers are available again. The TTL applies to all records of this name and type. 409 DNS_RECORD_EXISTS: the zone already contains this record, regardless of its TTL. DNS_RECORD_CONFLICT: it conflicts with another record of the zone. DNS_RECORD_LIMIT: the zone, with all domains in it, would exceed 10,000 records or 4 MiB of names and values plus 32 bytes per record.
     */
    post: operations['createDnsRecord']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/dns-mode': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change the DNS mode
     * @description MANAGED requires a verified domain that its parent zone delegates to DNS_NAMESERVERS (409 DNS_NOT_DELEGATED), or `skipDelegationCheck`. Your verified subdomains join the zone. Below a zone of another account on this server, that zone must contain NS records for the name (409 DNS_ZONE_CONFLICT). If the name server is not responding, nothing changes: 503 DNS_SERVER_UNAVAILABLE. CONNECTED keeps the records but stops serving them; 409 DNS_MODE_MAIL_ACTIVE while the domain, or one in its zone, has mailboxes.
     */
    patch: operations['changeDnsMode']
    trace?: never
  }
  '/api/domains/{id}/dns-mode/check': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Check the delegation
     * @description Queries public resolvers whether the parent zone delegates to our name servers. Changes nothing; `changeDnsMode` runs the same check.
     */
    post: operations['checkDelegation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/dns/{recordId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a DNS record
     * @description You can delete the verification record after the domain is verified, but not the zone's own NS records (409 DNS_RECORD_CONFLICT).
     */
    delete: operations['deleteDnsRecord']
    options?: never
    head?: never
    /**
     * Update a DNS record
     * @description Omitted members are unchanged. The type cannot be changed. A record that is renamed without a TTL takes the TTL of the existing records of its new name and type. The verification record cannot be changed (409 DNS_RECORD_CONFLICT).
     */
    patch: operations['updateDnsRecord']
    trace?: never
  }
  '/api/domains/{id}/dns/{recordId}/propagation': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Check propagation of a DNS record
     * @description Queries every resolver in DNS_RESOLVERS. MATCH: the record is among the answers. MISMATCH: only other records are. NOT_FOUND: no answer, or the query failed (`error`). For a wildcard, `panel-probe` below it is queried.
     */
    post: operations['checkPropagation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/dns/defaults': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Preview default DNS records
     * @description Records that POST would create (`added`), those that exist with the same name and type (`same`), and conflicts (`refused`).
     */
    get: operations['previewDefaultDnsRecords']
    put?: never
    /**
     * Create missing default DNS records
     * @description The A record for `@`, the CNAME for `www`, and the NS records of a zone. Skips a record if one of the same name and type exists, whatever its value, or if it conflicts with another record.
     */
    post: operations['createDefaultDnsRecords']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/dns/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export the zone file
     * @description In RFC 1035 format. For an apex domain, the whole zone including subdomains; for a domain in another zone, a zone of its name with its own records; for a wildcard, a zone of its parent name.
     */
    get: operations['exportZone']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/dns/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Import a zone file
     * @description RFC 1035 format, up to 1 MiB. `errors` lists lines that cannot be imported, up to a limit, including those that exceed the zone limits; the rest is imported. `skipped` lists lines that need no import: existing records, conflicts that keep the existing record, DNSSEC records and other name servers at the apex. The SOA is ignored. One import at a time per account (409 CONFLICT).
     */
    post: operations['importZone']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/dnssec': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get DNSSEC status
     * @description Whether the zone is signed, and the DS records for the registrar. Queries public resolvers for the DS record in the parent zone. `message` contains the next step.
     */
    get: operations['getDnssec']
    /**
     * Enable or disable DNSSEC
     * @description Only for the apex domain of a zone (400 INVALID_TARGET for others). Disabling requires that the DS record is removed from the parent zone (409 DNSSEC_DS_PRESENT), or `force`.
     */
    put: operations['updateDnssec']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/ssl': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the certificate
     * @description PENDING while an order is in progress. `errorMessage` contains the reason of the last failure, `nextRenewalAt` the time of the next attempt. The current certificate is served until then.
     */
    get: operations['getCertificate']
    put?: never
    post?: never
    /**
     * Delete the certificate
     * @description Deletes certificate and key. The site stays available over HTTP. Cancels an order in progress.
     */
    delete: operations['deleteCertificate']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/ssl/provision': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Provision a certificate
     * @description Covers the hostname only. 202 while the order is in progress (status PENDING, then ACTIVE, or ERROR with errorMessage); 200 with a self-signed certificate (90 days) for names below .localhost and in tests without ACME_DIRECTORY_URL. A wildcard is validated with dns-01 and requires dnsMode MANAGED; other names use http-01 on port 80, and their A and AAAA records must point to this server. The current certificate, even an uploaded one, is served until the new one is issued. Paths of one host share one certificate: 409 CERTIFICATE_EXISTS names the domain that has it. A refused order is retried three times (after 5 minutes, 1 hour and 6 hours), then only on request; if the certificate authority is unavailable or rate-limits this server, retries continue until it succeeds. 429 after 5 failures per hour or 5 certificates per week for a hostname, 20 failures per hour or 50 new certificates per 3 hours for your account, and when the server reaches the certificate authority's limits. Orders of one account run one at a time.
     */
    post: operations['provisionCertificate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/ssl/renew': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Renew the certificate now
     * @description The current certificate is served until the new one is issued. Automatic renewal starts when a third of the lifetime is left, or up to a tenth of the lifetime earlier. 409 for uploaded certificates.
     */
    post: operations['renewCertificate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/ssl/settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Update certificate settings
     * @description `forceHttps` redirects HTTP with 301, except for ACME challenges, and takes effect immediately. Turning `autoRenew` off also stops retries of a failed order. It has no effect on uploaded certificates.
     */
    patch: operations['updateCertificateSettings']
    trace?: never
  }
  '/api/domains/{id}/ssl/upload': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Upload a certificate
     * @description Takes effect immediately and cancels an order in progress. The certificates may be in any order, with or without the root. The certificate is served for the domain's hostname only. Uploaded certificates are not renewed; expiry is reported in the alerts.
     */
    post: operations['uploadCertificate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/subdomains': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List direct subdomains
     * @description List direct subdomains.
     */
    get: operations['listSubdomains']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/{id}/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Verify a domain
     * @description Queries all DNS_RESOLVERS for the TXT record; one that has it is enough. A failed check sets ERROR; you can retry immediately.
     */
    post: operations['verifyDomain']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/domains/ssl/alerts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List certificate alerts
     * @description Your certificates that need attention. EXPIRED and EXPIRING_SOON (7 days) depend on the remaining time only, also during a renewal. RENEWAL_FAILING starts with the second failure in a row, which also sends a notification. ISSUANCE_FAILED means there is nothing to serve.
     */
    get: operations['listCertificateAlerts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/archive': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download a directory as tar.gz
     * @description Omits links that point outside the project, sockets, devices and FIFOs. Includes `.env` files; `extract` rejects an archive that contains them.
     */
    get: operations['downloadDirectory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/chmod': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change file permissions
     * @description Three octal digits, as in `chmod 644`.
     */
    post: operations['changeFileMode']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/copy': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Copy a file, or a directory and its contents
     * @description You can copy a single protected file to an unprotected name, where a web server may expose it, but not a directory that contains one. 409 CONFLICT while two of your copies, searches or extractions are running.
     */
    post: operations['copyFile']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/create': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a text file
     * @description Creates missing parent directories. 409 if the path already exists.
     */
    post: operations['createFile']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/delete': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a file, or a directory and its contents
     * @description 403 PATH_PROTECTED if the path or anything below it is protected; then nothing is deleted.
     */
    delete: operations['deleteFile']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/download': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download a file
     * @description Supports a single byte range (`Range`); several ranges return the whole file. Supports `ETag` with `If-None-Match` and `If-Range`.
     */
    get: operations['downloadFile']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/extract': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Extract an archive
     * @description All or nothing: the archive is rejected if any entry points outside the directory, is a link or a device, has a protected name or already exists.
     */
    post: operations['extractArchive']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List a directory
     * @description Sorted by name. For the next page, pass `next` as `after`.
     */
    get: operations['listFiles']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/mkdir': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a directory
     * @description Creates missing parent directories.
     */
    post: operations['createDirectory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/move': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Move a file or directory
     * @description `to` is the full new path. Never overwrites: 409 FILE_ALREADY_EXISTS.
     */
    post: operations['moveFile']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/read': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a text file
     * @description Up to 2 MB (413). Files that are not UTF-8 are 409 NOT_TEXT; download them instead.
     */
    get: operations['readFile']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/rename': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rename a file or directory
     * @description `to` is the full new path. Never overwrites: 409 FILE_ALREADY_EXISTS.
     */
    post: operations['renameFile']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/search': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Search files by name
     * @description Matches part of the name, case-insensitively, below `path`. Returns at most `limit` results. Does not follow links.
     */
    get: operations['searchFiles']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/upload': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Upload a file
     * @description Up to 100 MB (413). Creates missing parent directories. An interrupted upload leaves no file.
     */
    post: operations['uploadFile']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/files/{id}/write': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create or replace a text file
     * @description Atomic. Creates missing parent directories. With `ifMatch`, fails with 409 FILE_CHANGED if the file has changed since you read it.
     */
    post: operations['writeFile']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Firewall rules, the pending change, and the services of this server
     * @description The rules decide about new connections to this server and to the ports that containers publish, over IPv4 and IPv6. Connections from containers of the panel and ICMP are not affected. Off by default.
     */
    get: operations['getFirewall']
    /**
     * Replace the firewall rules
     * @description Rules that change what the packet filter does are in force on trial: unless they are confirmed before `pending.deadline`, the server reverts them, even if the panel is killed meanwhile. Turning the firewall off, and changes to notes or disabled rules, are final at once. Refused if your address could no longer reach the panel (FIREWALL_LOCKOUT) or SSH (FIREWALL_SSH_LOCKOUT, unless `allowSshLockout`). 409 CONFLICT if `version` is outdated.
     */
    put: operations['saveFirewall']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall/allow-list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Networks that are never banned
     * @description Networks that are never banned.
     */
    get: operations['listAllowedNetworks']
    put?: never
    /**
     * Exempt an address or network from bans
     * @description Also removes the bans of its addresses. It does not open ports: firewall rules apply as before.
     */
    post: operations['allowNetwork']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall/allow-list/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Remove an exemption from bans
     * @description Remove an exemption from bans.
     */
    delete: operations['disallowNetwork']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall/bans': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Banned addresses, newest first
     * @description Too many failed sign-ins at the panel, SSH, SFTP, SMTP, IMAP or a WordPress site ban an address from the whole server: for 10 minutes, and after further offences for an hour, a day and a week. Loopback, the server’s own addresses, containers, trusted proxies, the allow list and addresses from which an administrator is signed in are never banned. The setting BANS turns bans off.
     */
    get: operations['listBans']
    put?: never
    /**
     * Ban an address
     * @description In force at once, also for open connections. Replaces a ban that the address already has.
     */
    post: operations['createBan']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall/bans/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Remove a ban
     * @description The address can connect at once, and its earlier offences are forgotten.
     */
    delete: operations['deleteBan']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Keep the pending firewall change
     * @description Send it over a connection that was opened after the change, which shows that the new rules let you in; otherwise 409 FIREWALL_CONNECTION_OLD. 409 CONFLICT if the change is no longer pending.
     */
    post: operations['confirmFirewall']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export the firewall rules as a file
     * @description The saved rules in JSON, without a pending change. POST /api/firewall/import takes the file.
     */
    get: operations['exportFirewall']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replace the firewall rules by those of an exported file
     * @description Rules that change what the packet filter does are in force on trial: unless they are confirmed before `pending.deadline`, the server reverts them, even if the panel is killed meanwhile. Turning the firewall off, and changes to notes or disabled rules, are final at once. Refused if your address could no longer reach the panel (FIREWALL_LOCKOUT) or SSH (FIREWALL_SSH_LOCKOUT, unless `allowSshLockout`). Whether the firewall is on stays as it is.
     */
    post: operations['importFirewall']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall/reconnect': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Close the connection of this request
     * @description For browsers, which choose connections themselves: the next request opens a new one. The panel’s proxy closes the connection without a response.
     */
    post: operations['reconnect']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/firewall/revert': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Revert the pending firewall change now
     * @description The rules that were in force before it apply again. 409 CONFLICT if no change is pending.
     */
    post: operations['revertFirewall']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/git/inspect': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Inspect a repository: its branches, and how one would be built
     * @description Use it before you create a project. The rules for connecting a repository apply; nothing is stored. If only a deploy key is missing, the response is still 200: `private` is true, and `problem` says what to do.
     */
    post: operations['inspectRepository']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/health': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Whether the API serves, and which real parts it reaches
     * @description Needs no sign-in and answers 200 as long as the API serves. Every part has its state, and one that does not answer a remedy. While `./panel up` starts its programs, `status` is `starting`.
     */
    get: operations['getHealth']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/aliases': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your aliases, including forwarders and catch-alls, by address
     * @description List your aliases, including forwarders and catch-alls, by address.
     */
    get: operations['listMailAliases']
    put?: never
    /**
     * Create an alias that forwards mail to its targets
     * @description If the address is also a mailbox, the mailbox receives the mail too. `*` is a catch-all for addresses without a mailbox or another alias. Without a mailbox or alias of their own, postmaster and abuse forward to the email address of your account. Mail from other servers to targets on other servers is forwarded with a rewritten envelope sender (SRS), so that it passes SPF; bounces go back to the original sender, and headers are unchanged. Returns 409 MAIL_ALIAS_LOOP if a target forwards back to the address.
     */
    post: operations['createMailAlias']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/aliases/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show an alias
     * @description Show an alias.
     */
    get: operations['getMailAlias']
    put?: never
    post?: never
    /**
     * Delete an alias
     * @description Delete an alias.
     */
    delete: operations['deleteMailAlias']
    options?: never
    head?: never
    /**
     * Replace the targets of an alias
     * @description Returns 409 MAIL_ALIAS_LOOP if a target forwards back to the address.
     */
    patch: operations['updateMailAlias']
    trace?: never
  }
  '/api/mail/auth/{domainId}/check': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Check the public mail records of a domain with external DNS, and the reputation of this server
     * @description Queries the resolvers in DNS_RESOLVERS; a record counts if one of them returns it. Any valid SPF, DMARC and MX record passes; DKIM must publish the active key. With managed DNS the records are not looked up. With PANEL_MOCK_DNS=true all records are found. `server` has the reverse DNS and blocklist status of each public address of this server; it is cached for some minutes and shared by all accounts.
     */
    post: operations['checkMailAuth']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/auth/{domainId}/mta-sts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show the MTA-STS policy of a domain
     * @description Includes the policy served at `https://mta-sts.<domain>` and its TXT record.
     */
    get: operations['getMtaSts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change the MTA-STS mode of a domain
     * @description With managed DNS the TXT record is updated; with external DNS, replace it at your DNS provider. Returns 409 for `enforce` if mail would be lost: `mail.<domain>` needs a trusted certificate, and all MX records must point to it.
     */
    patch: operations['changeMtaSts']
    trace?: never
  }
  '/api/mail/auth/{domainId}/regenerate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create the missing mail records of a domain: SPF, DKIM, DMARC, MX
     * @description Idempotent: existing records are neither changed nor duplicated, even if they were not created here. Runs automatically with the first mailbox of a domain. With external DNS only the DKIM key is created; `requiredRecords` lists the records to add at your DNS provider. The address record of the MX target, `mail.<domain>`, is created as well.
     */
    post: operations['regenerateMailAuth']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/deleted-mailboxes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List deleted mailboxes that can be restored, most recently deleted first
     * @description List deleted mailboxes that can be restored, most recently deleted first.
     */
    get: operations['listDeletedMailboxes']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/deleted-mailboxes/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Permanently delete the mail of a deleted mailbox
     * @description This cannot be undone. Fails with MAILBOX_EXISTS if the mailbox was restored in the meantime.
     */
    delete: operations['purgeMailbox']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/deleted-mailboxes/{id}/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download a deleted mailbox as tar.gz, while it can be restored
     * @description Download a deleted mailbox as tar.gz, while it can be restored.
     */
    get: operations['exportDeletedMailbox']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/deleted-mailboxes/{id}/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a deleted mailbox with its mail, password and settings
     * @description Its domain must be a verified domain of yours. The mailbox counts against the quota again.
     */
    post: operations['restoreMailbox']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/delivery-tests': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test message to check mail delivery
     * @description Sent from one of your mailboxes. With `delivery-test@mail.<domain of a panel>` the result is complete: that panel checks signature, SPF, DMARC and encryption on receipt and replies by mail. For other addresses you see only whether their server accepts the message, and its response. Limited to 20 per hour.
     */
    post: operations['createDeliveryTest']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/delivery-tests/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show the result of a delivery test
     * @description Poll every few seconds until the test is ANSWERED, DELIVERED (addresses that do not reply), BOUNCED or FAILED. Kept for a week.
     */
    get: operations['getDeliveryTest']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/dkim/{domainId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the DKIM keys of a domain, newest first
     * @description Each key includes its DNS record. One key is ACTIVE; replaced keys are RETIRING until you retire them. Private keys are never returned.
     */
    get: operations['listDkimKeys']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/dkim/{domainId}/keys/{keyId}/retire': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retire a replaced DKIM key: delete its record and its private key
     * @description Allowed one week after the next key started signing, or sooner with `force`. With external DNS, remove the record at your DNS provider. Keys are never retired automatically.
     */
    post: operations['retireDkimKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/dkim/{domainId}/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the DKIM key of a domain
     * @description Creates a key under a new selector. The old key is RETIRING: its record stays, so that mail in transit can still be verified. With managed DNS the new key signs as soon as the name servers publish its record, usually before this call returns. With external DNS it signs at once and `newKey.inDns` is false: add its record at your DNS provider.
     */
    post: operations['rotateDkimKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/dmarc/{domainId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Who sends as a domain, as receivers report it: by day and address, and whether it passed
     * @description From DMARC aggregate reports (RFC 7489), which receivers send to the address in the generated DMARC record once a day, and which are read as they arrive. Reports are not authenticated. Each is counted once, on the day on which it begins, and kept for MAIL_REPORTS_KEEP_DAYS.
     */
    get: operations['readDmarcReports']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/domains': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your mail domains with their deliverability score
     * @description Domains that have, or had, a mailbox or an alias, by name. The score is 25 points each for valid SPF, DKIM, DMARC and MX records. With managed DNS it is computed from the zone; with external DNS from the last lookup in public DNS (`checkedAt`), which runs daily.
     */
    get: operations['listMailDomains']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/logs': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What became of messages, as the mail server has written it, newest first
     * @description One entry per recipient and delivery attempt, and one per message rejected at the SMTP stage. Searches the last 20,000 lines of the log as they are at the time of the request. Also works while the mail server is stopped.
     */
    get: operations['searchDeliveryLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/queue': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List queued messages, oldest first, with the reason for the delay
     * @description All accounts. Each pending recipient has the last response of the next server.
     */
    get: operations['listMailQueue']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/queue/{queueId}/delete': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Delete a message from the queue
     * @description The sender is not notified. A delivery in progress may still succeed.
     */
    post: operations['deleteQueuedMessage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/queue/{queueId}/flush': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry a message now
     * @description Release a held message first.
     */
    post: operations['flushQueuedMessage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/queue/{queueId}/hold': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Put a message on hold: it is not delivered until you release it
     * @description A held message stays until you release or delete it. Holding it again changes nothing.
     */
    post: operations['holdQueuedMessage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/queue/{queueId}/release': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Release a message from hold
     * @description It is retried on schedule; flush it to retry it now. Releasing a message that is not on hold changes nothing.
     */
    post: operations['releaseQueuedMessage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/queue/flush': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry all queued messages now, except those on hold
     * @description Returns once the mail server has scheduled the retries, before they complete.
     */
    post: operations['flushMailQueue']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/spam/{domainId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show the spam filter settings of a domain
     * @description Returns the defaults if the domain has no settings.
     */
    get: operations['getSpamSettings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change the spam filter settings of a domain
     * @description Omitted members are unchanged. Takes effect with the next message. A message for several domains is rejected only if each of them rejects it, and goes to Junk if any of them files it there. Moving mail into or out of Junk trains the filter for this domain only.
     */
    patch: operations['updateSpamSettings']
    trace?: never
  }
  '/api/mail/status': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show the status of the mail servers and their ports
     * @description Returns 200 even if a server is down. Cached for five seconds.
     */
    get: operations['getMailStatus']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/sync': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send your mail domains, mailboxes and aliases to the mail servers again
     * @description Normally not needed: changes are applied at once and retried automatically. Domains of other accounts are unaffected. `success` is false if some domains could not be applied.
     */
    post: operations['syncMail']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mail/webmail/activity': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Last webmail sign-in of each of your mailboxes
     * @description Log-ins of mail programs do not count. If the webmail database cannot be read, `logins` is empty, and `error` and `code` say so.
     */
    get: operations['getWebmailActivity']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mailboxes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your mailboxes by address, with their usage
     * @description List your mailboxes by address, with their usage.
     */
    get: operations['listMailboxes']
    put?: never
    /**
     * Create a mailbox on a verified domain
     * @description The first mailbox of a domain also creates its mail records (SPF, DKIM, DMARC, MX); a failure there does not affect the mailbox. If the mail servers are unavailable, the mailbox is applied once they are back. The quotas of your mailboxes together, including deleted ones that are kept, must fit into your maxDiskMb.
     */
    post: operations['createMailbox']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mailboxes/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show a mailbox, with its usage
     * @description Show a mailbox, with its usage.
     */
    get: operations['getMailbox']
    put?: never
    post?: never
    /**
     * Delete a mailbox; it can be restored for a while
     * @description New mail is rejected at once. `listDeletedMailboxes` shows until when you can restore it (`restoreMailbox`).
     */
    delete: operations['deleteMailbox']
    options?: never
    head?: never
    /**
     * Change the password or quota of a mailbox, or disable it
     * @description A new password or `enabled: false` ends open sessions; mail is still delivered. A quota below the current usage keeps existing mail and rejects new mail.
     */
    patch: operations['updateMailbox']
    trace?: never
  }
  '/api/mailboxes/{id}/apple-profile': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download a configuration profile for iPhone, iPad and Mac
     * @description The profile is unsigned and contains no password; the device asks for it.
     */
    get: operations['getAppleMailProfile']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mailboxes/{id}/autoreply': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show the out-of-office reply of a mailbox; 404 if there is none
     * @description Show the out-of-office reply of a mailbox; 404 if there is none.
     */
    get: operations['getAutoreply']
    /**
     * Set the out-of-office reply of a mailbox
     * @description Each sender is answered once a day, between `from` and `until`. Mailing lists, automatic mail and mail that does not name the mailbox in To or Cc are not answered.
     */
    put: operations['setAutoreply']
    post?: never
    /**
     * Remove the out-of-office reply of a mailbox
     * @description Remove the out-of-office reply of a mailbox.
     */
    delete: operations['removeAutoreply']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mailboxes/{id}/client-settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show the mail client settings of a mailbox: hosts, ports, TLS, user name
     * @description Clients with autodiscovery find the same settings. The host is `mail.<domain>`, or a name of the server itself if only that name has a trusted certificate.
     */
    get: operations['getMailClientSettings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mailboxes/{id}/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download a mailbox as tar.gz
     * @description A Maildir (Maildir++), which most mail servers and clients can read: every message as stored, with flags, dates and folders. Messages that arrive during the export may be missing. You can run two exports at once; a third gets 409 CONFLICT.
     */
    get: operations['exportMailbox']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mailboxes/{id}/imports': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List imports into a mailbox, newest first
     * @description List imports into a mailbox, newest first.
     */
    get: operations['listMailboxImports']
    put?: never
    /**
     * Import a mailbox from another server over IMAP
     * @description Copies messages with flags, dates and folders. Sent, Drafts, Junk, Trash and Archive map to the same folders here, whatever their name. The source server is not changed. Poll until the import is COMPLETED. An interrupted import resumes automatically; a later import from the same host and user copies only new messages. One import per account runs at a time.
     */
    post: operations['importMailbox']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mailboxes/{id}/imports/{importId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show the progress of an import
     * @description Show the progress of an import.
     */
    get: operations['getMailboxImport']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mailboxes/{id}/imports/{importId}/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel an import; copied messages stay
     * @description A running import stops within seconds.
     */
    post: operations['cancelMailboxImport']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/mailboxes/{id}/webmail': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Where a mailbox is opened in a browser
     * @description The panel does not log in: the webmail asks for the password of the mailbox.
     */
    get: operations['getWebmailLink']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/monitoring/containers': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What your containers use now; for an ADMIN those of all accounts
     * @description Of those that run and serve a project. It does not ask the container engine.
     */
    get: operations['listContainerMetrics']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/monitoring/figures': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List mail and database metrics over time
     * @description Sampled every 5 minutes and kept for 30 days. A point is the mean of 10 minutes for 7d and of 30 minutes for 30d. There is no point while a component is unavailable or not installed.
     */
    get: operations['listFigures']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/monitoring/history': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The load of the server over time, in the order of time
     * @description A snapshot each minute, kept 30 days. Over 7d a point is the mean of 10 minutes, over 30d of 30; its id is that of its last snapshot. Where nothing was recorded there is no point.
     */
    get: operations['listMetricSnapshots']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/monitoring/server': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The load of the server now
     * @description Rates are of the last seconds. What cannot be read is null. Network counts what passes the interfaces of default routes, so that traffic of containers is not counted twice.
     */
    get: operations['getServerMetrics']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notifications': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What you were told, newest first, and how much of it is unread
     * @description Each is here whatever channels it went to, those too that a channel was spared. The newest 1,000 of an account are kept, for 90 days.
     */
    get: operations['listNotifications']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notifications/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Mark one as read
     * @description One that is read already stays so.
     */
    patch: operations['readNotification']
    trace?: never
  }
  '/api/notifications/channels': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your notification channels
     * @description List your notification channels.
     */
    get: operations['listNotificationChannels']
    put?: never
    /**
     * Add a channel
     * @description At most 20. Addresses, tokens and the secret of a webhook are sealed, and shown never again. Services are asked by https at the ports 443 and 8443, at addresses of the Internet alone; the administrator may list others (NOTIFICATION_ALLOW). Redirects are not followed.
     */
    post: operations['createNotificationChannel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notifications/channels/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Send a channel elsewhere
     * @description Addresses and tokens are never shown, so all of them are given again, for a channel of the same type. A webhook keeps its secret; what failed is forgotten.
     */
    put: operations['replaceNotificationChannel']
    post?: never
    /**
     * Remove a channel
     * @description That of e-mail stays.
     */
    delete: operations['deleteNotificationChannel']
    options?: never
    head?: never
    /**
     * Rename a channel, or switch it on or off
     * @description One at which nothing has arrived for three days is switched off by itself.
     */
    patch: operations['changeNotificationChannel']
    trace?: never
  }
  '/api/notifications/channels/{id}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a message to a channel now, and say what came of it
     * @description Thirty in an hour.
     */
    post: operations['testNotificationChannel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notifications/deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What was sent to your channels, and whether it arrived
     * @description A message that did not arrive is tried eight times within a day. It may arrive twice where the panel was killed just then; its id is the same. Kept for 90 days.
     */
    get: operations['listNotificationDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notifications/preferences': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Which channels you chose for what, and your quiet hours
     * @description Which channels you chose for what, and your quiet hours.
     */
    get: operations['readNotificationPreferences']
    /**
     * Choose channels for each kind, and quiet hours
     * @description Replaces what was chosen; a kind that is left out goes by its default. In quiet hours what is not urgent waits for their end.
     */
    put: operations['setNotificationPreferences']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notifications/read-all': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Mark all as read
     * @description Mark all as read.
     */
    post: operations['readAllNotifications']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/overview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What needs attention, and recent deployments
     * @description Of your own: newest deployments that failed, containers that should run and do not, domains that are not verified, certificates that fail or end, quotas nearly used. For an ADMIN also parts of the server that do not answer, held mail, and two-factor that is off. Empty where all is well.
     */
    get: operations['readOverview']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your projects, newest first
     * @description Does not return webhook secrets. `status=DELETED` lists deleted projects.
     */
    get: operations['listProjects']
    put?: never
    /**
     * Create a project
     * @description Creates the project, its file directory and its host name `{name}.{BASE_DOMAIN}`, but does not build it. `gitUrl` and `branch` set the repository; `connectGit` fetches it. Commands and port that you omit are detected from the repository (`getDetection`).
     */
    post: operations['createProject']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a project; audited if it reveals the webhook secret
     * @description Includes `webhookSecret` if the session or token may see it; each time is audited.
     */
    get: operations['getProject']
    /**
     * Update a project
     * @description Omitted members stay unchanged; null removes a command, the port or the repository. Commands, port and name take effect on the next build or deployment.
     */
    put: operations['updateProject']
    post?: never
    /**
     * Delete a project, its container, volumes, images, routes and files
     * @description Databases and domains stay in the account, detached from the project: a domain keeps its verification, certificate and zone, and serves the default page.
     */
    delete: operations['deleteProject']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/backups': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the backups of a project, newest first
     * @description Of all targets. Poll while one is QUEUED or RUNNING.
     */
    get: operations['listProjectBackups']
    put?: never
    /**
     * Back up a project now
     * @description Contains the files of the project and the databases that are linked to it. The project keeps running.
     */
    post: operations['startProjectBackup']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/backups/{backupId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Show a backup and its progress
     * @description `progress` counts bytes of files and dumps while the backup is RUNNING.
     */
    get: operations['getProjectBackup']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/backups/{backupId}/files': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List a directory of a backup
     * @description Reads from the target, which takes seconds. Lists up to 1,000 entries.
     */
    get: operations['listBackupFiles']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/backups/{backupId}/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore files or a database from a backup
     * @description All files of a project are restored beside the present ones and exchanged once they are complete; then the project is deployed again, and the present files are kept for 7 days (`undoRestore`). A single file or directory is put into a new directory `restored-…` of the project. A database is restored into a new one beside the present one.
     */
    post: operations['restoreBackup']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/build': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Build and deploy the head of the branch
     * @description Queues a deployment and returns immediately. It fetches the branch, builds an image, starts a container and switches the route once it answers HTTP. Until then, and if any step fails, the previous release stays live. A project runs one deployment at a time; up to 20 can be queued. `buildCmd` applies to this build only; a token with the scope `deploy` cannot send it. Follow the result with `getDeployment` or on the live channel.
     */
    post: operations['buildProject']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/container/{action}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start, stop, restart or remove the container; remove also destroys its volumes
     * @description `stop` keeps the container stopped and shows visitors a notice until `start`, a build or a deployment. `restart` sends SIGTERM and waits 10 seconds. `remove` deletes the container and its volumes but keeps /data, the image and the project.
     */
    post: operations['controlContainer']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/container/status': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the container status
     * @description As reported by the engine (`running`, `exited`, …); null if nothing is deployed.
     */
    get: operations['getContainerStatus']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/deploy': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Deploy the latest image with the current variables, and wait for the result
     * @description `domain` points one of your verified domains at the project; it is the `deployedDomain` until you point it elsewhere or the next deployment omits it.
     */
    post: operations['deployProject']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/deployments': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List deployments, newest first
     * @description Each with the end of its log, unless `logs=false`. `active` marks the live one.
     */
    get: operations['listDeployments']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/deployments/{deploymentId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get one deployment with its log
     * @description It has ended once `status` is RUNNING, FAILED or CANCELLED. `failure` has the phase and the reason. Includes the log unless `logs=false`; to read it from an offset, use `readDeploymentLog`.
     */
    get: operations['getDeployment']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/deployments/{deploymentId}/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a queued or running deployment; the live release is not affected
     * @description A queued deployment does not start; a running one is stopped and its container removed. Returns 409 DEPLOYMENT_FINISHED if it has already ended.
     */
    post: operations['cancelDeployment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/deployments/{deploymentId}/changes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the commits since the previous release
     * @description Queries the Git server, so it can take up to GIT_TIMEOUT.
     */
    get: operations['listDeploymentChanges']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/deployments/{deploymentId}/log': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the log of a deployment from an offset
     * @description To read on, pass the last `next` as `after`; `tail` returns the last lines instead. To stream the log, send `subscribe:deployment-log` `{deploymentId, after}` on the live channel and acknowledge each `deployment:log` `{deploymentId, offset, text, next}`, until the deployment ends.
     */
    get: operations['readDeploymentLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/deployments/{deploymentId}/rollback': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Roll back to the image of this deployment
     * @description Does not build and does not wait behind builds. Uses the current variables and the start command of the image. `canRollback` says whether the image is still kept (otherwise 409 IMAGE_NOT_KEPT).
     */
    post: operations['rollBackDeployment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/detection': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Detect how the project would be built
     * @description Returns the framework and the build and start commands for the last fetched commit with the current settings. Connecting a repository fetches it, so this works before the first build. If nothing has been fetched yet, or the repository cannot be built, the response is still 200: `problem` says why and what to do, and the rest is null.
     */
    get: operations['getDetection']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/env': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List variables with masked values
     * @description Does not return values; use `revealEnvVar` to read one.
     */
    get: operations['listEnvVars']
    put?: never
    /**
     * Set one or more variables, all or nothing
     * @description Send either `key` and `value`, or `variables`. If one is invalid, none is written. Values are encrypted at rest and kept byte for byte. They take effect on the next build or deployment; use `deployProject` to apply them now.
     */
    post: operations['setEnvVars']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/env/{key}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a variable
     * @description The running container keeps it until the next deployment.
     */
    delete: operations['deleteEnvVar']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/env/{key}/reveal': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Reveal one value; audited
     * @description Requires a session with a recent re-authentication, or a token with the scope `full`.
     */
    get: operations['revealEnvVar']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/env/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export all variables with their values as a .env file; audited
     * @description Values are quoted where needed, so that `importEnvVars`, Compose and shells read the same values. Requires a session with a recent re-authentication, or a token with the scope `full`.
     */
    get: operations['exportEnvVars']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/env/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Import a .env file
     * @description Supports comments, quotes, `export` and multi-line values the way Compose and shells do: `#` starts a comment only after a blank, and double quotes support `\n`, `\r`, `\"`, `\\` and `\$`. `$NAME` is not expanded. An invalid key rejects the whole import; `skipped` lists lines that are not variables and variables that were kept, with the reason.
     */
    post: operations['importEnvVars']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/git': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the repository, deploy key and webhook of a project; audited if it reveals the webhook secret
     * @description Add the webhook URL, its secret and the public deploy key at your Git provider.
     */
    get: operations['getGit']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/git/connect': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Connect a repository; audited, because it reveals the webhook secret
     * @description Fetches the branch first and stores nothing if that fails. Use an https:// URL without user or token for a public repository, or `git@host:owner/repository` with a deploy key (`createDeployKey`) that you added at the provider. The first connection generates the webhook secret.
     */
    post: operations['connectGit']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/git/ssh-key': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a new Ed25519 deploy key
     * @description The private key stays on the server. The previous key stops working: add the new public key at your provider, read-only.
     */
    post: operations['createDeployKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/git/webhook-secret/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the webhook secret; audited
     * @description Pushes signed with the previous secret are rejected from now on: update the secret at your provider.
     */
    post: operations['rotateWebhookSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/logs': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the last lines of stdout and stderr
     * @description To follow the log, send `subscribe:container-log` `{projectId, tail, since}` on the live channel. Acknowledge each `container:log` `{projectId, containerId, text, next}` to receive the next one; pass the last `next` as `since` to resume. ANSI colors are kept. `container:log-state` `{projectId, containerId, state}` is FOLLOWING (also for a replacement container), STOPPED, CONTAINER_MISSING or CONTAINER_ENGINE_UNAVAILABLE; the stream waits for the container to return.
     */
    get: operations['getContainerLogs']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/metrics': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What the project’s container has used over time, in the order of time
     * @description A point for each minute, over 7d for 15 minutes and over 30d for 30. Where no container ran there is no point.
     */
    get: operations['listProjectMetrics']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/restores': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the latest restores of a project
     * @description The latest 50. Poll while one is QUEUED or RUNNING.
     */
    get: operations['listRestores']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/restores/{restoreId}/undo': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Put the files from before a restore back
     * @description Possible until `undoUntil`. The project is deployed again.
     */
    post: operations['undoRestore']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/status-page': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Where the public status page of a project is, and whether it is switched on
     * @description Where the public status page of a project is, and whether it is switched on.
     */
    get: operations['readStatusPage']
    /**
     * Make, change, switch on or off the public status page of a project
     * @description It shows everybody who knows its address the title, and of each uptime check with onStatusPage its name, how it stands, its uptime by day and when it was down; neither host names nor reasons. Switched off, it answers as one that never was.
     */
    put: operations['saveStatusPage']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/traffic': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * How many requests a site had, how many failed, and how fast they were answered
     * @description Requests to the host names of the project, counted by the route that the reverse proxy chose. One point per minute, per 15 minutes over 7d and per hour over 30d; intervals without requests have no point. Response times are measured to the first byte. A request counts when it ends, a WebSocket when it closes. Individual requests are not stored: no addresses, no paths.
     */
    get: operations['readTraffic']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/uptime-checks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the uptime checks of a project, with how they stand and figures of their uptime
     * @description A check asks for a page of the project again and again, by way of this machine’s proxy, as a visitor would. `summary` is of all of them. The figures are the share of the time that is known, by whole hours: a run speaks for the time since the one before it, at most for its interval. While a check is paused, or the panel or its proxy is unavailable, the state is unknown and not counted.
     */
    get: operations['listUptimeChecks']
    put?: never
    /**
     * Watch a site of the project
     * @description Only for your own sites: the default host name of the project or a verified domain that leads to it, which is looked up again at each run. The certificate of https must be good for the name and for today; who has signed it is not judged. It rests (PAUSED) while the project is stopped or not deployed, the account is suspended, or the name leads elsewhere. UPTIME_CHECKS_PER_ACCOUNT says how many there may be.
     */
    post: operations['createUptimeCheck']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/uptime-checks/{checkId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read an uptime check
     * @description Read an uptime check.
     */
    get: operations['getUptimeCheck']
    put?: never
    post?: never
    /**
     * Delete an uptime check and its history
     * @description Delete an uptime check and its history.
     */
    delete: operations['deleteUptimeCheck']
    options?: never
    head?: never
    /**
     * Change or pause an uptime check
     * @description What is asked for otherwise begins anew as UNKNOWN; its history stays.
     */
    patch: operations['updateUptimeCheck']
    trace?: never
  }
  '/api/projects/{id}/uptime-checks/{checkId}/incidents': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * When a site was down, and why; the newest first
     * @description Kept for 95 days after their end.
     */
    get: operations['listUptimeIncidents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/uptime-checks/{checkId}/results': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What the runs of a check have shown
     * @description Time without data (panel unavailable, check paused) is not counted in `uptime`; it is `unknownSeconds`.
     */
    get: operations['readUptimeResults']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/uptime-checks/{checkId}/run': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Run an uptime check now
     * @description Once in ten seconds. What it shows is in the check as soon as `lastRunAt` is another one.
     */
    post: operations['runUptimeCheck']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/wordpress/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export site as tar.gz
     * @description Contains the files and a database dump as `database.sql`, ready to import here or at another host. Links to files are replaced by the files; links to directories are omitted. Exports the database in wp-config.php, which must be one of yours on this server (otherwise 409 CONFLICT). Runs at most two dumps at a time on the server (503 BUSY) and one per account (409 CONFLICT).
     */
    get: operations['exportWordpress']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/wordpress/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the latest import
     * @description 404 if there was no import yet. Finished when `status` is SUCCEEDED or FAILED.
     */
    get: operations['getNewestWordpressImport']
    put?: never
    /**
     * Import a site from an archive
     * @description Replaces the site. Accepts an export of this panel, or a tar.gz, tar or zip from another host: the files, at the root or in a directory such as public_html, and a database dump (.sql or .sql.gz). The import is staged: the live site does not change until everything is ready, or if anything fails (422). Keeps the table prefix, replaces the site address with that of the project, also in serialized values, and writes a new wp-config.php. Triggers, views and stored routines are not imported; `notes` and the deployment log list them. Responds when the import is finished; once the upload is complete, it continues even if the client disconnects. At most two imports per account at a time (409 CONFLICT).
     */
    post: operations['importWordpress']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}/wordpress/imports/{importId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an import
     * @description Get an import.
     */
    get: operations['getWordpressImport']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/search': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Find what is yours by a part of its name
     * @description Projects, domains, databases and mailboxes of your own; for an ADMIN also all accounts, for a RESELLER those below it. The types stand one after the other, each in the order of how well its names fit.
     */
    get: operations['search']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sftp': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the SFTP account
     * @description Does not include the password. 404 until you create the account (`provisionSftpUser`). Each project of your account is a folder.
     */
    get: operations['getSftpUser']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sftp/add-ssh-key': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add an SSH key
     * @description Ed25519, ECDSA, or RSA of at least 2048 bits: one line in `authorized_keys` format without options. The key allows SFTP only, no shell and no forwarding.
     */
    post: operations['addSshKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sftp/credentials': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the SFTP credentials
     * @description Address, user name and password for an SFTP client. `hostKeys` are the fingerprints that it shows on the first connection. Each call is audited.
     */
    get: operations['getSftpCredentials']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sftp/disable': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Disable the SFTP account
     * @description Ends open sessions. Password and keys are kept.
     */
    delete: operations['disableSftp']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sftp/enable': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Enable the SFTP account
     * @description Enable the SFTP account.
     */
    post: operations['enableSftp']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sftp/provision': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create the SFTP account
     * @description Idempotent: returns the existing account (200). If the SFTP server is not responding, answers 503 SFTP_UNAVAILABLE and creates nothing.
     */
    post: operations['provisionSftpUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sftp/remove-ssh-key': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove an SSH key
     * @description Matches by type and data; the comment is ignored.
     */
    post: operations['removeSshKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sftp/rotate-password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the password
     * @description Returns the new password. Open sessions and SSH keys are not affected.
     */
    post: operations['rotateSftpPassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/status/{slug}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What the public status page of a project shows
     * @description The page for people is at /status/:slug. It may be some seconds old.
     */
    get: operations['readPublicStatus']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/system/addresses': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The addresses of this server: of its interfaces, and as a service on the Internet sees it
     * @description Asks PUBLIC_IP_SERVICE where it is set, with a limit of 5 seconds. Changes nothing.
     */
    get: operations['getServerAddresses']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/system/dns-info': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The DNS records that bring the panel’s names and the projects’ to this server
     * @description For PANEL_DOMAIN, BASE_DOMAIN and its wildcard: what to set where the DNS of these names is.
     */
    get: operations['getDnsInfo']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/system/dns-info/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Look these records up at the public resolvers
     * @description Each name at each resolver, of a wildcard a name below it.
     */
    post: operations['verifyDnsInfo']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/system/settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The server’s time zone; for an ADMIN every variable with its value and where it comes from
     * @description Values of secrets are never told, only whether they are set.
     */
    get: operations['getSettings']
    /**
     * Change the time zone, and variables that take no restart
     * @description All or nothing, and at once in every process; members that are left out stay. A value that would keep the panel from starting is refused by the sentence that the start would say, and so is one that the environment has set (SETTING_FIXED), which wins. REQUIRE_ADMIN_2FA is turned on by an ADMIN who has two-factor (ADMIN_2FA_REQUIRED). Schedules by the clock follow the time zone from then on; a run that lies between its last one and now by the new clock is made up for at once.
     */
    put: operations['changeSettings']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/system/version': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The version of the panel, and the newest one that UPDATE_FEED_URL has named
     * @description Nothing is asked of the network for it.
     */
    get: operations['getVersion']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List accounts with what they use: an ADMIN all, others themselves and those below them, on every level
     * @description A RESELLER, and a USER with canCreateSubAccounts, sees the accounts that it made and those that these made.
     */
    get: operations['listUsers']
    put?: never
    /**
     * Create an account below yours; an ADMIN or RESELLER takes a session with a fresh proof
     * @description Without a password its person is invited by mail; 503 where this panel sends none.
     */
    post: operations['createUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an account
     * @description Get an account.
     */
    get: operations['getUser']
    put?: never
    post?: never
    /**
     * Delete an account without sub-accounts; with ?projects=delete also its projects
     * @description Refused while it has accounts below it, and while it has projects, domains, databases or mailboxes unless `?projects=delete`, with which all of it goes too. The last ADMIN stays. The address is free again at once; audit entries keep the id.
     */
    delete: operations['deleteUser']
    options?: never
    head?: never
    /**
     * Change the name; the e-mail address is changed by an ADMIN or the account above, with a fresh proof
     * @description The name can be changed by the account itself, an account above it, or an ADMIN. Another address signs in from then on, and gets the links for a new password.
     */
    patch: operations['updateUser']
    trace?: never
  }
  '/api/users/{id}/2fa/reset': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Reset two-factor of a user who lost it; ends all their sessions and API tokens
     * @description For an ADMIN: the account signs in with its password alone until it sets two-factor up again.
     */
    post: operations['resetTwoFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/{id}/disk': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the disk usage of an account: your own or one below yours; an ADMIN may read any
     * @description Get the disk usage of an account: your own or one below yours; an ADMIN may read any.
     */
    get: operations['getDiskUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/{id}/disk-usage/history': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the daily disk usage of an account by kind, including databases and mail
     * @description List the daily disk usage of an account by kind, including databases and mail.
     */
    get: operations['listDiskUsageHistory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/{id}/permissions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Replace the permissions
     * @description For an ADMIN. What is not in the list is taken away.
     */
    patch: operations['changePermissions']
    trace?: never
  }
  '/api/users/{id}/quotas': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change quotas; null is unlimited. Overselling is switched by an ADMIN.
     * @description Members that are left out stay. A quota may be less than what is used: nothing is taken away, and nothing more is made until it fits. What a RESELLER gives its accounts may not be more than it has itself (403 OVERSELL_NOT_ENABLED), unless overselling is on: then what they really use counts.
     */
    patch: operations['changeQuotas']
    trace?: never
  }
  '/api/users/{id}/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resume an account; the sites that were stopped with it start
     * @description What an ADMIN has suspended only an ADMIN resumes, and what an account further above suspended, only accounts at that level resume. Sessions and tokens that ended do not come back.
     */
    post: operations['resumeUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/{id}/role': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change the role; sessions go on. To ADMIN or RESELLER takes a session with a fresh proof.
     * @description Rights count from the next request on, and sessions go on. Overselling is switched off by it. A RESELLER with sub-accounts does not become a USER, and the last ADMIN stays one. Granting ADMIN or RESELLER takes a fresh proof (`confirmIdentity`).
     */
    patch: operations['changeRole']
    trace?: never
  }
  '/api/users/{id}/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End all sessions of a user
     * @description For an ADMIN. API tokens of the account go on: suspending it ends both.
     */
    delete: operations['revokeUserSessions']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/{id}/suspend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Suspend an account: its tokens end and its sites stop
     * @description Sign-in is blocked, sessions and tokens end, its containers stop and nothing is built. Data, certificates and records stay, and accounts below it go on.
     */
    post: operations['suspendUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/{id}/usage': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What an account uses of its quotas: an ADMIN of any, others of themselves and those below them
     * @description As `getUsage`, of an account below; including what a reseller has allocated.
     */
    get: operations['getUsageOf']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change your own language, time zone and theme
     * @description They go with the account to every browser. Null takes one back: the browser’s language, the server’s time zone.
     */
    patch: operations['updatePreferences']
    trace?: never
  }
  '/api/users/me/disk': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get your disk usage by kind, and your limit
     * @description Measured periodically; each kind has its own time. Lists containers that are close to their write limit.
     */
    get: operations['getOwnDiskUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/me/usage': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What you use of your quotas; a RESELLER also what it allocates
     * @description Counts what there is against each quota. Of a RESELLER also what it has given its accounts, used or not: without overselling that cannot be more than it has.
     */
    get: operations['getUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/webhooks/gitprovider': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Receive a push (project in the query)
     * @description Git providers call this after a push. Queues a build if the push is to the project’s branch and answers 202 with the deployment. Pushes to other branches, tags and deleted branches are answered with 200 and the reason. Authenticated with an HMAC-SHA256 of the raw body, keyed with the webhook secret; the native headers of GitHub, GitLab and Bitbucket are accepted too. An unknown project is answered like a wrong signature.
     */
    post: operations['receivePush']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/webhooks/gitprovider/{projectId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Receive a push (project in the path)
     * @description Git providers call this after a push. Queues a build if the push is to the project’s branch and answers 202 with the deployment. Pushes to other branches, tags and deleted branches are answered with 200 and the reason. Authenticated with an HMAC-SHA256 of the raw body, keyed with the webhook secret; the native headers of GitHub, GitLab and Bitbucket are accepted too. An unknown project is answered like a wrong signature.
     */
    post: operations['receiveProjectPush']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/autodiscover/autodiscover.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the Autodiscover URL of a domain for Outlook (Autodiscover, JSON)
     * @description Returns the URL of the XML endpoint. The response does not depend on whether the mailbox exists.
     */
    get: operations['getAutodiscover']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/autodiscover/autodiscover.json/v1.0/{address}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the Autodiscover URL of a domain for Outlook (Autodiscover, JSON)
     * @description Returns the URL of the XML endpoint. The response does not depend on whether the mailbox exists.
     */
    get: operations['getAutodiscoverOf']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/autodiscover/autodiscover.xml': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Get the mail settings of a domain for Outlook (Autodiscover, XML)
     * @description Served at `autodiscover.<domain>`. The response does not depend on whether the mailbox exists.
     */
    post: operations['postAutodiscover']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/mail/config-v1.1.xml': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the mail settings of a domain for Thunderbird and others (config-v1.1.xml)
     * @description Served at `autoconfig.<domain>` and at the domain itself. The response does not depend on whether the mailbox exists.
     */
    get: operations['getAutoconfig']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /** @description Actual usage of an account per quota, without sub-accounts. */
    AccountUsage: {
      databases: number
      /** @description From the last measurement; null before the first. */
      diskBytes: number | null
      domains: number
      mailboxes: number
      /** @description For a RESELLER: whether the limits of its sub-accounts exceed one of its own in total. */
      oversold: boolean
      projects: number
    }
    AddSshKey: {
      /** @description One public key in OpenSSH format: type, Base64, comment. */
      publicKey: string
    }
    /** @enum {string} */
    AlertMetric: 'cpu' | 'ram' | 'disk'
    AlertThreshold: {
      metric: components['schemas']['AlertMetric']
      threshold: number
      /** Format: date-time */
      timestamp: string
      /** @description Percent. */
      value: number
    }
    AllowedNetwork: {
      createdAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      network: string
      note: string
    }
    AllowedNetworkList: {
      networks: components['schemas']['AllowedNetwork'][]
    }
    AllowNetwork: {
      /** @description An address, or a network of at most /8 (IPv4) or /19 (IPv6). */
      network: string
      /** @default  */
      note?: string
    }
    ApiToken: {
      createdAt: components['schemas']['Timestamp']
      expiresAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      lastUsedAt: components['schemas']['Timestamp'] | null
      name: string
      scope: components['schemas']['TokenScope']
    }
    ApiTokenList: {
      pagination: components['schemas']['Pagination']
      tokens: components['schemas']['ApiToken'][]
    }
    /** @enum {string} */
    AuditAction:
      | 'user.permissions_changed'
      | 'user.2fa_enabled'
      | 'user.2fa_disabled'
      | 'user.2fa_reset'
      | 'user.recovery_codes_renewed'
      | 'user.registered'
      | 'user.created'
      | 'user.updated'
      | 'user.role_changed'
      | 'user.quotas_changed'
      | 'user.disk_exceeded'
      | 'user.suspended'
      | 'user.resumed'
      | 'user.deleted'
      | 'user.password_changed'
      | 'user.password_reset_requested'
      | 'user.password_reset'
      | 'auth.login'
      | 'auth.login_failed'
      | 'auth.2fa_failed'
      | 'auth.recovery_code_used'
      | 'auth.logout'
      | 'auth.confirmed'
      | 'session.moved'
      | 'session.revoked'
      | 'token.created'
      | 'token.revoked'
      | 'env_var.revealed'
      | 'env_var.exported'
      | 'env_var.set'
      | 'env_var.imported'
      | 'env_var.deleted'
      | 'git.connected'
      | 'git.disconnected'
      | 'git.webhook_secret_shown'
      | 'git.webhook_secret_rotated'
      | 'git.deploy_key_created'
      | 'project.created'
      | 'project.updated'
      | 'project.deleted'
      | 'uptime_check.created'
      | 'uptime_check.updated'
      | 'uptime_check.deleted'
      | 'status_page.saved'
      | 'deployment.build_requested'
      | 'deployment.requested'
      | 'deployment.rollback_requested'
      | 'deployment.cancelled'
      | 'deployment.push_received'
      | 'container.started'
      | 'container.stopped'
      | 'container.restarted'
      | 'container.removed'
      | 'file.created'
      | 'file.written'
      | 'file.uploaded'
      | 'file.directory_created'
      | 'file.moved'
      | 'file.copied'
      | 'file.mode_changed'
      | 'file.extracted'
      | 'file.deleted'
      | 'domain.created'
      | 'domain.verified'
      | 'domain.updated'
      | 'domain.deleted'
      | 'domain.dns_mode_changed'
      | 'domain.dnssec_changed'
      | 'domain.zone_imported'
      | 'dns_record.created'
      | 'dns_record.updated'
      | 'dns_record.deleted'
      | 'dns_record.defaults_created'
      | 'certificate.requested'
      | 'certificate.uploaded'
      | 'certificate.removed'
      | 'database.created'
      | 'database.updated'
      | 'database.credentials_shown'
      | 'database.password_rotated'
      | 'database.deleted'
      | 'sftp.provisioned'
      | 'sftp.credentials_shown'
      | 'sftp.password_rotated'
      | 'sftp.key_added'
      | 'sftp.key_removed'
      | 'sftp.disabled'
      | 'sftp.enabled'
      | 'mailbox.created'
      | 'mailbox.updated'
      | 'mailbox.password_changed'
      | 'mailbox.autoreply_set'
      | 'mailbox.autoreply_removed'
      | 'mailbox.deleted'
      | 'mailbox.restored'
      | 'mailbox.purged'
      | 'mailbox.exported'
      | 'mailbox.import_started'
      | 'mailbox.import_cancelled'
      | 'mailbox.import_ended'
      | 'mail_alias.created'
      | 'mail_alias.updated'
      | 'mail_alias.deleted'
      | 'mail.synced'
      | 'mail.delivery_tested'
      | 'mail_auth.provisioned'
      | 'dkim_key.rotated'
      | 'dkim_key.retired'
      | 'mail_spam.updated'
      | 'mta_sts.changed'
      | 'mail_queue.flushed'
      | 'mail_queue.message_deleted'
      | 'mail_queue.message_flushed'
      | 'mail_queue.message_held'
      | 'mail_queue.message_released'
      | 'wordpress.exported'
      | 'wordpress.imported'
      | 'firewall.change_requested'
      | 'firewall.changed'
      | 'firewall.reverted'
      | 'firewall.addresses_banned'
      | 'firewall.address_unbanned'
      | 'firewall.network_allowed'
      | 'firewall.network_disallowed'
      | 'backup_target.created'
      | 'backup_target.confirmed'
      | 'backup_target.deleted'
      | 'backup_schedule.changed'
      | 'backup.requested'
      | 'backup.restore_requested'
      | 'backup.restored'
      | 'backup.restore_undone'
      | 'settings.changed'
    AuditCheck: {
      /** @description Entries up to this one are archived. Verify archives with `./panel audit verify`. */
      archivedTo: number
      /** @description The first entry that breaks the hash chain; null if none does. */
      brokenAt: number | null
      /** @description The entry before the checked range; 0 if it starts with the first. */
      checkedFrom: number
      /** @description The last verified entry: the next `after`. */
      checkedTo: number
      /** @description The latest entry. */
      newest: number
      ok: boolean
    }
    AuditEntry: {
      /** @description Such as user.permissions_changed. */
      action: string
      /** @description Email of the acting account, unless deleted; only in the server-wide log of an ADMIN. */
      actorEmail?: string | null
      actorId: components['schemas']['Id'] | null
      createdAt: components['schemas']['Timestamp']
      id: number
      ip: string | null
      /** @description Never contains secrets. */
      metadata: {
        [key: string]: unknown
      }
      /** @description Email of the target account, unless deleted; only in the server-wide log of an ADMIN. */
      targetEmail?: string | null
      targetId: string | null
      userAgent: string | null
    }
    /** @enum {string} */
    AuditFormat: 'json' | 'csv'
    AuditList: {
      entries: components['schemas']['AuditEntry'][]
      /** @description With filters, the total is counted up to 10,001. */
      pagination: components['schemas']['Pagination']
    }
    AuthCheck: {
      /** @description What was found, and what to do. */
      detail: string
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['AuthCheckCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
      status: components['schemas']['AuthCheckStatus']
    }
    /** @enum {string} */
    AuthCheckCode:
      | 'FOUND'
      | 'SPF_MISSING'
      | 'SPF_SEVERAL'
      | 'SPF_WITHOUT_END'
      | 'DMARC_MISSING'
      | 'DMARC_WITHOUT_POLICY'
      | 'MX_MISSING'
      | 'MX_TAKES_NONE'
      | 'MX_ELSEWHERE'
      | 'DKIM_MISSING'
      | 'DKIM_MATCHES'
      | 'DKIM_NO_KEY'
      | 'DKIM_NOT_SIGNING'
      | 'DKIM_NOT_OURS'
      | 'DKIM_OTHER_KEY'
      | 'DKIM_NOT_SEEN'
      | 'NO_ANSWER'
      | 'NOT_CHECKED'
      | 'NOT_WRITTEN'
    AuthChecks: {
      dkim: components['schemas']['AuthCheck']
      dmarc: components['schemas']['AuthCheck']
      mx: components['schemas']['AuthCheck']
      spf: components['schemas']['AuthCheck']
    }
    /** @enum {string} */
    AuthCheckStatus: 'pass' | 'fail'
    AuthConfig: {
      /** @description Whether registration is open; always true until the first user exists. */
      allowRegistration: boolean
      requireAdmin2FA: boolean
      /** @description Whether the server can send email for password resets and new accounts. */
      sendsMail: boolean
    }
    Autodiscover: {
      Protocol: string
      /** Format: uri */
      Url: string
    }
    Autoreply: {
      from: components['schemas']['Timestamp'] | null
      subject: string | null
      text: string
      until: components['schemas']['Timestamp'] | null
    }
    BackedUpDatabase: {
      bytes: number
      id: components['schemas']['Id']
      name: string
      tables: number
      type: components['schemas']['DatabaseType']
    }
    Backup: {
      /** @description Size of everything in the backup. */
      bytes: number | null
      /** @description What this backup added to the target. */
      bytesAdded: number | null
      createdAt: components['schemas']['Timestamp']
      databases: components['schemas']['BackedUpDatabase'][]
      endedAt: components['schemas']['Timestamp'] | null
      files: number | null
      id: components['schemas']['Id']
      problem: string | null
      progress: {
        bytesDone: number
        bytesTotal: number
      }
      projectId: components['schemas']['Id']
      projectName: string
      startedAt: components['schemas']['Timestamp'] | null
      /** @description GOOD only after the backup was read back from its target: every file is listed with its size, and the database dumps are complete and have the checksums of the dumps that were made. */
      status: components['schemas']['BackupStatus']
      targetId: components['schemas']['Id']
      targetName: string
      trigger: components['schemas']['BackupTrigger']
    }
    /** @enum {string} */
    BackupEntryType: 'FILE' | 'DIRECTORY' | 'LINK' | 'OTHER'
    BackupFiles: {
      entries: {
        modifiedAt: components['schemas']['Timestamp']
        name: string
        size: number
        type: components['schemas']['BackupEntryType']
      }[]
      /** @description Whether the directory has more entries than are listed. */
      isTruncated: boolean
    }
    BackupList: {
      backups: components['schemas']['Backup'][]
      pagination: components['schemas']['Pagination']
    }
    BackupSchedule: {
      /** @description In the time zone of the server. */
      hour: number
      isEnabled: boolean
      /** @description How many daily backups to keep. */
      keepDaily: number
      /** @description How many monthly backups to keep. */
      keepMonthly: number
      /** @description How many weekly backups to keep. */
      keepWeekly: number
      minute: number
      /** @description KiB per second. Null: no limit. */
      uploadLimitKib: number | null
      /** @description Days with a backup, 0 is Sunday. Empty: every day. */
      weekdays: number[]
    }
    /** @enum {string} */
    BackupStatus: 'QUEUED' | 'RUNNING' | 'GOOD' | 'FAILED'
    BackupTarget: {
      createdAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      /** @description Backups start only after the key was confirmed. */
      isKeyConfirmed: boolean
      kind: components['schemas']['BackupTargetKind']
      /** @description Latest successful check of the whole repository. */
      lastCheckedAt: components['schemas']['Timestamp'] | null
      /** @description End of the latest backup that was read back. */
      lastGoodAt: components['schemas']['Timestamp'] | null
      /** @description Where it stores, without secrets. */
      location: string
      name: string
      /** @description Why the latest backup or check on this target failed. */
      problem: string | null
    }
    /** @enum {string} */
    BackupTargetKind: 'FOLDER' | 'SFTP' | 'S3' | 'REST'
    BackupTargetList: {
      targets: components['schemas']['BackupTarget'][]
    }
    /** @enum {string} */
    BackupTrigger: 'MANUAL' | 'SCHEDULE'
    Ban: {
      /** @description An IPv4 address, or the /64 of an IPv6 address, because one customer holds a whole /64. */
      address: string
      /** @description Failed sign-ins that led to the ban. 0 for `MANUAL`. */
      attempts: number
      bannedAt: components['schemas']['Timestamp']
      createdBy: components['schemas']['Id'] | null
      id: components['schemas']['Id']
      note: string
      /** @description Bans that count for the duration of the next one. One is forgiven for each week without a ban. */
      offences: number
      reason: components['schemas']['BanReason']
      /** @description Null: until someone removes the ban. */
      until: components['schemas']['Timestamp'] | null
    }
    BanList: {
      bans: components['schemas']['Ban'][]
      /** @description Whether bans are in force: the setting BANS. */
      enabled: boolean
      pagination: components['schemas']['Pagination']
    }
    /**
     * @description The service with the failed sign-ins. `MANUAL`: a person added the ban.
     * @enum {string}
     */
    BanReason: 'PANEL' | 'SSH' | 'SFTP' | 'SMTP' | 'IMAP' | 'WORDPRESS' | 'MANUAL'
    BlocklistCheck: {
      detail: string
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['BlocklistCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
      /** @description refused: the list does not answer these resolvers. unknown: no resolver responded, or the list returned an invalid answer. */
      status: components['schemas']['BlocklistStatus']
      /** @description Where the operator explains listings and how to get delisted. */
      website: string | null
      zone: string
    }
    /** @enum {string} */
    BlocklistCode: 'CLEAR' | 'LISTED' | 'LISTED_BECAUSE' | 'REFUSED' | 'UNKNOWN'
    /** @enum {string} */
    BlocklistStatus: 'clear' | 'listed' | 'refused' | 'unknown'
    Branch: string
    BuildRequest: {
      /** @description Replaces the project’s build command for this build. API tokens need the scope full, because the command sees all variables. */
      buildCmd?: components['schemas']['ShellLine'] | null
    } | null
    Certificate: {
      autoRenew: boolean
      /** @description Always null: the proxy keeps its copy in memory only. */
      certPath: null
      commonName: string
      createdAt: components['schemas']['Timestamp']
      domainId: components['schemas']['Id']
      /** @description Why the last order failed. */
      errorMessage: string | null
      errorSentences: components['schemas']['CertificateProblem']
      /** @description Takes effect once there is a certificate. */
      forceHttps: boolean
      id: components['schemas']['Id']
      issuer: string | null
      /** @description Always null: the key is stored encrypted and never returned. */
      keyPath: null
      lastCheckedAt: components['schemas']['Timestamp'] | null
      lastRenewedAt: components['schemas']['Timestamp'] | null
      /** @description Time of the next automatic renewal or retry. */
      nextRenewalAt: components['schemas']['Timestamp'] | null
      sans: string[]
      serialNumber: string | null
      /** @description PENDING while issuance or renewal runs; an existing certificate stays in use. */
      status: components['schemas']['CertificateStatus']
      type: components['schemas']['CertificateType']
      updatedAt: components['schemas']['Timestamp']
      validFrom: components['schemas']['Timestamp'] | null
      validTo: components['schemas']['Timestamp'] | null
    }
    CertificateAlert: {
      certificateId: components['schemas']['Id']
      daysLeft: number | null
      domainId: components['schemas']['Id']
      hostname: string
      message: string
      reason: components['schemas']['CertificateAlertReason']
      status: components['schemas']['CertificateStatus']
      validTo: components['schemas']['Timestamp'] | null
    }
    /** @enum {string} */
    CertificateAlertReason: 'EXPIRED' | 'EXPIRING_SOON' | 'RENEWAL_FAILING' | 'ISSUANCE_FAILED'
    CertificateAlerts: {
      /** @description Most urgent first, up to 1,000. */
      alerts: components['schemas']['CertificateAlert'][]
      /** @description Number of your certificates that were checked. */
      checked: number
      checkedAt: components['schemas']['Timestamp']
    }
    /** @enum {string} */
    CertificateChangeStatus: 'PENDING' | 'ACTIVE' | 'EXPIRING_SOON' | 'EXPIRED' | 'ERROR' | 'REMOVED'
    /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
    CertificateProblem: {
      code: components['schemas']['CertificateProblemCode']
      values?: {
        [key: string]: string | number | string[]
      }
    }[]
    /** @enum {string} */
    CertificateProblemCode:
      | 'ADDRESS_MISSING'
      | 'ADDRESS_NOT_PUBLIC'
      | 'ADDRESS_NOT_PUBLIC_AAAA'
      | 'LEADS_ELSEWHERE'
      | 'CHANGE_A_RECORD'
      | 'CHANGE_AAAA_RECORD'
      | 'OPEN_PORT'
      | 'WAIT_FOR_TTL'
      | 'CAA_CRITICAL'
      | 'CAA_OTHERS_ONLY'
      | 'CAA_OTHER_METHODS'
      | 'WILDCARD_NOT_MANAGED'
      | 'PROOF_HAS_NO_PLACE'
      | 'CHECK_TOOK_TOO_LONG'
      | 'TOO_MANY_OF_NAME'
      | 'TOO_MANY_FAILURES'
      | 'TOO_MANY_OF_ACCOUNT'
      | 'TOO_MANY_BUT_RENEWALS'
      | 'TOO_MANY_OF_SERVER'
      | 'AUTHORITY_REFUSED'
      | 'AUTHORITY_UNAVAILABLE'
      | 'AUTHORITY_LIMITS'
      | 'ORDER_TOOK_TOO_LONG'
      | 'NOT_SERVABLE'
      | 'ORDER_BROKE'
    CertificateSettings: {
      autoRenew?: boolean
      forceHttps?: boolean
    }
    /**
     * @description PENDING: ordered. ACTIVE: served. EXPIRING_SOON: served, expires within 7 days. EXPIRED: no longer valid. ERROR: the order failed and no certificate is served.
     * @enum {string}
     */
    CertificateStatus: 'PENDING' | 'ACTIVE' | 'EXPIRING_SOON' | 'EXPIRED' | 'ERROR'
    /**
     * @description LETS_ENCRYPT: ordered and renewed by the panel. CUSTOM: uploaded. SELF_SIGNED: generated by the panel for a name that no certificate authority issues for.
     * @enum {string}
     */
    CertificateType: 'LETS_ENCRYPT' | 'CUSTOM' | 'SELF_SIGNED'
    ChangeChannel: {
      isEnabled?: boolean
      name?: string
    }
    ChangeDnsMode: {
      /**
       * @description Leave MANAGED although the parent zone still has a DS record: validating resolvers will not resolve the domain.
       * @default false
       */
      force?: boolean
      mode: components['schemas']['DnsMode']
      /**
       * @description Switch to MANAGED although the parent zone does not list our name servers yet.
       * @default false
       */
      skipDelegationCheck?: boolean
    }
    /** @enum {string} */
    ChangedType:
      | 'account'
      | 'ban'
      | 'certificate'
      | 'database'
      | 'deployment'
      | 'dns-records'
      | 'domain'
      | 'import'
      | 'mail-alias'
      | 'mailbox'
      | 'project'
      | 'sftp'
      | 'variables'
    ChangeMode: {
      /** @description Without set-user-id, set-group-id and sticky bits. */
      mode: string
      path: components['schemas']['ClientPath']
    }
    ChangeMtaSts: {
      mode: components['schemas']['MtaStsMode']
    }
    ChangePassword: {
      confirmNewPassword: string
      currentPassword: string
      newPassword: components['schemas']['Password']
      /**
       * @description Whether to revoke the account’s API tokens too: someone who knew the old password may have created one.
       * @default true
       */
      revokeTokens?: boolean
    }
    ChangePermissions: {
      permissions: components['schemas']['Permission'][]
    }
    ChangeQuotas: {
      maxDatabases?: components['schemas']['QuotaValue']
      /** @description MiB of files, containers, images, databases, build logs and mail in total; null means unlimited. If omitted for a new account below one with a limit, it gets the same limit. The actual usage of an account and all accounts below it stays within its limit. */
      maxDiskMb?: number | null
      maxDomains?: components['schemas']['QuotaValue']
      maxMailboxes?: components['schemas']['QuotaValue']
      maxProjects?: components['schemas']['QuotaValue']
      maxSubAccounts?: components['schemas']['QuotaValue']
      oversellingEnabled?: boolean
    }
    ChangeRole: {
      role: components['schemas']['Role']
    }
    ChangeSettings: {
      /** @description A name of the IANA database in any case, links too (`US/Eastern`); kept is the one that they lead to. Neither offsets nor abbreviations. With null it is the machine’s own again. */
      timezone?: string | null
      /** @description By name, values as in the environment (`128m`, `true`, `1.1.1.1,9.9.9.9`); null takes a change back. */
      variables?: {
        [key: string]: string | number | boolean | null
      }
    }
    /** @enum {string} */
    ChannelType: 'EMAIL' | 'WEBHOOK' | 'SLACK' | 'DISCORD' | 'TELEGRAM' | 'NTFY' | 'GOTIFY'
    ClientPath: string
    ClientSettings: {
      address: string
      automatic: {
        /** @description Open it on an iPhone, iPad or Mac; requires a session. */
        appleProfile: string
        /**
         * Format: uri
         * @description Autoconfig URL, for Thunderbird and others.
         */
        autoconfig: string
        /**
         * Format: uri
         * @description Autodiscover URL, for Outlook.
         */
        autodiscover: string
      }
      /** @description Whether the host has a certificate that mail clients trust; otherwise they show a warning. */
      isTrusted: boolean
      /** @description The recommended setting of each service first. */
      services: components['schemas']['MailServiceSettings'][]
      /** @description The full address; the password is that of the mailbox. */
      username: string
    }
    /** @enum {string} */
    CommandSource: 'SETTING' | 'PROCFILE' | 'PACKAGE_JSON' | 'FRAMEWORK' | 'FILE'
    Confirm: {
      /** @description Required if two-factor is on; accepts a recovery code too. */
      code?: string
      password: string
    }
    ConfirmBackupKey: {
      /** @description The key, as a proof that you have kept it. */
      key: string
    }
    Confirmed: {
      /** @description Until then, actions that require a recent re-authentication are allowed. */
      confirmedUntil: components['schemas']['Timestamp']
    }
    ConfirmFirewall: {
      /** @description `pending.id` of the change to confirm. */
      changeId: components['schemas']['Id']
    }
    /** @enum {string} */
    ConnectionSecurity: 'TLS' | 'STARTTLS'
    /**
     * @description `remove` requires the scope full for API tokens.
     * @enum {string}
     */
    ContainerAction: 'start' | 'stop' | 'restart' | 'remove'
    ContainerActionResult: {
      containerStatus: string | null
      message: string
    }
    ContainerMetric: {
      containerId: string
      /** @description Percent of one core: 200 means two cores. Null if unknown. */
      cpuPercent: number | null
      /** @description Name of the project. */
      name: string
      /** @description Bytes since the start of the container. */
      networkReceived: number | null
      networkSent: number | null
      projectId: components['schemas']['Id']
      /** @description Null if unlimited. */
      ramLimit: number | null
      /** @description Without page cache that can be reclaimed. */
      ramUsed: number | null
    }
    ContainerNearLimit: {
      /** @description Bytes written to its own layer. */
      bytes: number
      deploymentId: components['schemas']['Id']
      /** @description Files and directories in that layer; null if not counted. */
      files: number | null
      /** @description CONTAINER_DISK_LIMIT: the container is stopped above it. */
      limitBytes: number
      /** @description CONTAINER_FILES_LIMIT: the container is stopped above it. */
      limitFiles: number
      projectId: components['schemas']['Id']
      warnedAt: components['schemas']['Timestamp']
    }
    ContainerStatus: {
      containerId: string | null
      containerStatus: string | null
    }
    CreateApiToken: {
      code?: string
      /** @default 90 */
      expiresInDays?: number
      name: string
      password: string
      scope: components['schemas']['TokenScope']
    }
    CreateBackupTarget:
      | {
          /** @constant */
          kind: 'FOLDER'
          name: string
          /** @description A directory of this server, for example on a mounted disk. It is created if its parent exists. */
          path: string & (unknown & unknown)
        }
      | {
          host: string & (unknown & unknown)
          /** @description Public host key of the server as `ssh-keyscan` prints it, without the host name. */
          hostKey: string & (unknown & unknown)
          /** @constant */
          kind: 'SFTP'
          name: string
          path: string & (unknown & unknown)
          /** @default 22 */
          port?: number
          /** @description Private SSH key without a passphrase. Stored encrypted, and never returned. */
          privateKey: string
          username: string & (unknown & unknown)
        }
      | {
          accessKeyId: string
          bucket: string & (unknown & unknown)
          /** @description Certificate (PEM) of the authority that signed the certificate of the server, if it is not a public one. */
          caCertificate?: string
          endpoint: string & (unknown & unknown)
          /** @constant */
          kind: 'S3'
          name: string
          /** @default  */
          prefix?: string & (unknown & unknown)
          secretAccessKey: string
        }
      | {
          /** @description Certificate (PEM) of the authority that signed the certificate of the server, if it is not a public one. */
          caCertificate?: string
          /** @constant */
          kind: 'REST'
          name: string
          password?: string
          /** @description A restic REST server. */
          url: string & (unknown & unknown)
          username?: string
        }
    CreateBan: {
      /** @description An IPv4 address, or an IPv6 address or /64. For other networks, add a firewall rule. */
      address: string
      /** @default  */
      note?: string
      /**
       * @description Duration. Null: until someone removes the ban.
       * @default null
       */
      seconds?: number | null
    }
    CreateChannel:
      | {
          name: string
          /** @constant */
          type: 'WEBHOOK'
          /** Format: uri */
          url: string
        }
      | {
          name: string
          /** @constant */
          type: 'SLACK'
          /** Format: uri */
          url: string
        }
      | {
          name: string
          /** @constant */
          type: 'DISCORD'
          /** Format: uri */
          url: string
        }
      | {
          botToken: string
          chatId: string
          name: string
          /** @constant */
          type: 'TELEGRAM'
        }
      | {
          name: string
          token?: string
          topic: string
          /** @constant */
          type: 'NTFY'
          /** Format: uri */
          url: string
        }
      | {
          name: string
          token: string
          /** @constant */
          type: 'GOTIFY'
          /** Format: uri */
          url: string
        }
    CreatedApiToken: {
      createdAt: components['schemas']['Timestamp']
      expiresAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      lastUsedAt: components['schemas']['Timestamp'] | null
      name: string
      scope: components['schemas']['TokenScope']
      /** @description Shown only once. */
      token: string
    }
    CreateDatabase: {
      /**
       * @description Whether the project gets its variables (DATABASE_URL, DB_TYPE, DB_HOST, DB_PORT, DB_NAME, DB_USER, DB_PASSWORD); 400 without a `projectId`.
       * @default false
       */
      autoInjectEnv?: boolean
      name: components['schemas']['DatabaseName']
      projectId?: components['schemas']['Id'] | null
      type: components['schemas']['DatabaseType']
    }
    CreatedDomain: {
      /** @description Its own certificate, also while it is ordered or if the order failed; see GET …/ssl for details. */
      certificate: {
        status: components['schemas']['CertificateStatus']
        validTo: components['schemas']['Timestamp'] | null
      } | null
      createdAt: components['schemas']['Timestamp']
      dnsMode: components['schemas']['DnsMode']
      /** @description A full host name, or `*.<parent>`; internationalized names as A-labels. */
      hostname: string
      id: components['schemas']['Id']
      isWildcard: boolean
      parentId: components['schemas']['Id'] | null
      pathPrefix: string | null
      projectId: components['schemas']['Id'] | null
      /** @description Whether it is served with its own certificate. */
      sslEnabled: boolean
      status: components['schemas']['DomainStatus']
      updatedAt: components['schemas']['Timestamp']
      /** @description The TXT record proves ownership, the A record routes traffic. Null once the domain is ACTIVE, or if a verified parent proves ownership. */
      verificationInstructions: components['schemas']['VerificationInstructions'] | null
      /** @description `panel-verify-<32 hex characters>`; null if verified through a parent domain. */
      verificationToken: string | null
    }
    CreateDeliveryTest: {
      /** @description The sending mailbox: one of yours. */
      mailboxId: components['schemas']['Id']
      /** @description `delivery-test@mail.<domain of a panel>`, which inspects the message and replies; an address in one of your verified domains; or your own email address. */
      to: string
    }
    CreatedNotificationChannel: {
      createdAt: components['schemas']['Timestamp']
      failingSince: components['schemas']['Timestamp'] | null
      id: components['schemas']['Id']
      isEnabled: boolean
      lastSentAt: components['schemas']['Timestamp'] | null
      name: string
      /** @description Why the last delivery failed, or why the channel was disabled. */
      problem: string | null
      /** @description For a WEBHOOK, shown only once: `x-panel-signature` is `sha256=` and the HMAC-SHA256 of `<x-panel-timestamp>.<body>` with it. */
      signingSecret: string | null
      /** @description Destination without its secret parts. */
      target: string
      type: components['schemas']['ChannelType']
    }
    CreateDnsRecord: {
      /** @description Relative to the domain: `@`, `www`, `*.dev`; up to 32 labels. A name that ends with the domain itself works too. */
      name: string
      /** @description Required for SRV, 1 to 65535. */
      port?: number | null
      /** @description Required for MX, SRV, SVCB and HTTPS. 0 makes SVCB and HTTPS an alias. */
      priority?: number | null
      /**
       * @description Seconds. All records of one name and type share it: a change applies to all of them (RFC 2181 §5.2).
       * @default 3600
       */
      ttl?: number
      type: components['schemas']['DnsRecordType']
      /** @description By type, in the form of zone files but for names, which have no dot at the end (one label alone is taken as relative to the domain, `@` is the domain): A: an IPv4 address; AAAA: an IPv6 address; CNAME: a host name; MX: a host name, or `.` for no mail; TXT: the plain text; quoted and split automatically; NS: a host name; SRV: a host name, or `.` for no service; CAA: `0 issue "ca.example.net"`; PTR: a host name; SSHFP: algorithm, type and fingerprint: `4 2 <64 hexadecimal digits>`; TLSA: usage, selector, matching type and data: `3 1 1 <64 hexadecimal digits>`; SVCB: a host name or `.`, then parameters where the priority is not 0: `svc.example.net alpn=h2 port=8443`; HTTPS: like SVCB: `. alpn=h2,h3 ipv4hint=192.0.2.1`; NAPTR: order, preference, flags, services, regular expression and replacement: `100 10 "S" "SIP+D2U" "" _sip._udp.example.net`. */
      value: string
      /** @description Required for SRV. */
      weight?: number | null
    }
    CreateDomain: {
      /** @description In any case and script; stored and returned in lower case, with `xn--…` for non-ASCII labels. `*.example.com` is a wildcard. Several accounts may claim a name; the first to verify it gets it. */
      hostname: string
      parentId?: components['schemas']['Id'] | null
      pathPrefix?: components['schemas']['PathPrefix'] | null
      projectId?: components['schemas']['Id'] | null
    }
    CreateMailAlias: {
      domainId: components['schemas']['Id']
      /** @description The part before the @, or `*` for a catch-all. */
      localPart: string
      /** @description Full addresses, on this server or anywhere else. */
      targets: string[]
    }
    CreateMailbox: {
      domainId: components['schemas']['Id']
      localPart: components['schemas']['LocalPart']
      password: components['schemas']['MailboxPassword']
      /** @default 1024 */
      quota?: components['schemas']['MailboxQuota']
    }
    CreateMailboxImport: {
      /** @description Folder names as the other server lists them. Default: all folders except views of other folders (\All, \Flagged). */
      folders?: string[]
      /** @description The server that hosts the mail now. */
      host: string & (unknown & unknown)
      /** @description Password of that mailbox. Stored encrypted until the import ends, and never returned. */
      password: string
      /** @description Default: 993 with TLS, 143 with STARTTLS. */
      port?: number
      /**
       * @description TLS from the first byte, or STARTTLS. The certificate must match the host name.
       * @default TLS
       */
      security?: components['schemas']['ConnectionSecurity']
      username: string
    }
    CreateProject: {
      branch?: components['schemas']['Branch'] | null
      buildCmd?: components['schemas']['ShellLine'] | null
      gitUrl?: components['schemas']['GitUrl'] | null
      name: components['schemas']['ProjectName']
      port?: number | null
      /** @description true: the root file system of the container is read-only from the next deployment on. Default false: the application can write to its own directory and to HOME, but loses that with the next deployment; store persistent data below /data. STATIC sites and WORDPRESS are always read-only. */
      readOnlyRoot?: boolean
      startCmd?: components['schemas']['ShellLine'] | null
      type: components['schemas']['ProjectType']
    }
    CreateUptimeCheck: {
      /**
       * @description Expected status codes. Redirects are not followed: their own code counts.
       * @default 200-399
       */
      expectedStatus?: string
      /** @description The automatic host name of the project, a verified domain that points to it, or a name one label below such a wildcard; not a wildcard itself. */
      hostname: string
      /** @default 5 */
      intervalMinutes?: number
      /** @default GET */
      method?: components['schemas']['UptimeMethod']
      /** @description Display name, also on a public status page. */
      name: string
      /**
       * @description Whether to show the check on the public status page of the project.
       * @default true
       */
      onStatusPage?: boolean
      /**
       * @description Path with query, percent-encoded.
       * @default /
       */
      path?: string
      /** @default false */
      paused?: boolean
      /** @description Default: https if the name has a certificate, else http. */
      protocol?: components['schemas']['UptimeProtocol']
      /**
       * @description Number of failed runs to tolerate. The check is DOWN if `retries + 1` of the last `2 × retries + 1` runs failed, including the latest; while this is undecided, it runs every 30 seconds. It is UP again after two successful runs in a row (one if retries is 0).
       * @default 2
       */
      retries?: number
      /** @default null */
      text?: string | null
      /**
       * @description Whether the text must be present or absent.
       * @default present
       */
      textMode?: components['schemas']['UptimeTextMode']
      /** @default 10 */
      timeoutSeconds?: number
    }
    CreateUser: {
      email: components['schemas']['Email']
      maxDatabases?: components['schemas']['QuotaValue']
      /** @description MiB of files, containers, images, databases, build logs and mail in total; null means unlimited. If omitted for a new account below one with a limit, it gets the same limit. The actual usage of an account and all accounts below it stays within its limit. */
      maxDiskMb?: number | null
      maxDomains?: components['schemas']['QuotaValue']
      maxMailboxes?: components['schemas']['QuotaValue']
      maxProjects?: components['schemas']['QuotaValue']
      maxSubAccounts?: components['schemas']['QuotaValue']
      name: components['schemas']['Name']
      /** @description If omitted, the new user receives an email with a link to choose a password, valid for a week. */
      password?: components['schemas']['Password']
      /** @default USER */
      role?: components['schemas']['Role']
    }
    Database: {
      /** @description Opens the web admin at this database; asks for the password. */
      adminUrl: string
      autoInjectEnv: boolean
      createdAt: components['schemas']['Timestamp']
      /** @description Host of the database server as seen from project containers. */
      host: string
      /** @description For programs on the server itself. The password is masked if there is no `password`. */
      hostUri: string
      id: components['schemas']['Id']
      /** @description For project containers. The password is masked if there is no `password`. */
      internalUri: string
      name: string
      /** @description Only returned when you create the database, rotate its password or get it with secrets. */
      password?: string
      port: number
      projectId: components['schemas']['Id'] | null
      /** @description Size on the database server; null if unknown. */
      sizeBytes: number | null
      type: components['schemas']['DatabaseType']
      updatedAt: components['schemas']['Timestamp']
      username: string
    }
    DatabaseList: {
      databases: components['schemas']['ListedDatabase'][]
      pagination: components['schemas']['Pagination']
    }
    DatabaseName: string
    DatabaseTest:
      | {
          latencyMs: number
          /** @constant */
          ok: true
          serverVersion: string
        }
      | {
          error: string
          /** @constant */
          ok: false
        }
    /** @enum {string} */
    DatabaseType: 'POSTGRESQL' | 'MYSQL'
    DelegationCheck: {
      delegated: boolean
      expectedNameservers: string[]
      /** @description The result, and what to change. */
      message: string
      resolvers: {
        error: string | null
        matches: boolean
        nameservers: string[]
        resolver: string
      }[]
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['DelegationCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
    }
    /** @enum {string} */
    DelegationCode:
      | 'DELEGATED'
      | 'DELEGATED_ALSO'
      | 'ADD'
      | 'ADD_AND_REMOVE'
      | 'RESOLVERS_DISAGREE'
      | 'NO_ANSWER'
      | 'NOT_FOUND'
      | 'WAIT_AND_TRY'
    DeletedMailbox: {
      address: string
      deletedAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      /** @description When its mail is deleted; until then it can be restored. */
      purgeAt: components['schemas']['Timestamp']
      quota: number
    }
    DeletedMailboxList: {
      mailboxes: components['schemas']['DeletedMailbox'][]
      pagination: components['schemas']['Pagination']
    }
    /** @enum {string} */
    DeliverabilityGrade: 'Excellent' | 'Good' | 'Needs Improvement' | 'Poor'
    Delivery: {
      at: components['schemas']['Timestamp']
      /** @description Seconds since arrival. */
      delay: number | null
      /** @description The alias that resolved to the recipient. */
      originalRecipient: string | null
      /** @description Null if the message was never queued. */
      queueId: string | null
      /** @description The server’s response. */
      reason: string
      /** @description Null if the whole message was given up, or rejected before it named a recipient. */
      recipient: string | null
      /** @description The next server; for rejected messages, the sending server. */
      relay: string | null
      /** @description Empty for a bounce; null if the scanned lines do not contain it. */
      sender: string | null
      status: components['schemas']['DeliveryStatus']
    }
    DeliveryCheck: {
      detail: string
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['DeliveryCheckCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
      /** @description unknown: only a receiver that replies can tell. */
      status: components['schemas']['DeliveryCheckStatus']
    }
    /** @enum {string} */
    DeliveryCheckCode:
      | 'SERVER_ASKED'
      | 'TAKEN'
      | 'TAKEN_AS'
      | 'TAKEN_OR_NOT'
      | 'NOT_TAKEN_NOW'
      | 'SERVER_SILENT'
      | 'SERVER_REFUSED'
      | 'NOT_TAKEN_BECAUSE'
      | 'NOBODY_ASKED'
      | 'TRIED_AGAIN'
      | 'SAID'
      | 'SAID_NOTHING'
      | 'NEXT_SAID'
      | 'NEXT_SAID_NOTHING'
      | 'RECEIVER_ANSWERED'
      | 'NOT_SENT'
      | 'NOT_ANSWERED'
      | 'NOT_TOLD'
      | 'CAME_BY'
      | 'CAME_IN_CLEAR'
      | 'CAME_IN_CLEAR_FROM_UNKNOWN'
      | 'SPF'
      | 'SPF_FROM_UNKNOWN'
      | 'SPF_NO_DOMAIN'
      | 'SPF_NO_DOMAIN_FROM_UNKNOWN'
      | 'DKIM'
      | 'DKIM_MISSING'
      | 'DMARC'
      | 'DMARC_POLICY'
    /** @enum {string} */
    DeliveryCheckStatus: 'pass' | 'fail' | 'pending' | 'unknown'
    DeliveryLog: {
      /** @description Newest first. */
      deliveries: components['schemas']['Delivery'][]
      pagination: components['schemas']['Pagination']
      /** @description How many of the log’s last lines were looked at, at most 20,000. */
      scannedLines: number
    }
    /**
     * @description `deferred`: retried later, by our server, or by the sending server if there is no `queueId`. `bounced`: returned to the sender. `rejected`: not accepted.
     * @enum {string}
     */
    DeliveryStatus: 'success' | 'deferred' | 'bounced' | 'rejected'
    DeliveryTest: {
      answer: components['schemas']['DeliveryTestAnswer'] | null
      checks: {
        accepted: components['schemas']['DeliveryCheck']
        delivered: components['schemas']['DeliveryCheck']
        dkim: components['schemas']['DeliveryCheck']
        dmarc: components['schemas']['DeliveryCheck']
        spf: components['schemas']['DeliveryCheck']
        tls: components['schemas']['DeliveryCheck']
      }
      createdAt: components['schemas']['Timestamp']
      from: string
      id: components['schemas']['Id']
      mailboxId: components['schemas']['Id']
      queueId: string | null
      /** @description The server contacted last. */
      relay: string | null
      /** @description Its response. */
      reply: string | null
      /** @description QUEUED: accepted by our server. DEFERRED: the next server has not accepted it yet. DELIVERED: accepted by the next server. ANSWERED: the receiver replied. FAILED: our server did not accept it. */
      status: components['schemas']['DeliveryTestStatus']
      to: string
      updatedAt: components['schemas']['Timestamp']
    }
    DeliveryTestAnswer: {
      /** @description Source address of the message. */
      clientIp: string | null
      dkim: {
        domain: string | null
        result: string
        selector: string | null
      }[]
      dmarc: {
        policy: string | null
        result: string
      }
      spf: {
        domain: string | null
        result: string
      }
      /** @description Null: not encrypted. */
      tls: string | null
    }
    /** @enum {string} */
    DeliveryTestStatus: 'SENDING' | 'QUEUED' | 'DEFERRED' | 'DELIVERED' | 'ANSWERED' | 'BOUNCED' | 'FAILED'
    Deployment: {
      /** @description Whether this deployment is live. */
      active: boolean
      /** @description The log, up to its last 1 MiB; in lists up to the last 16 KiB each. By default the latest 20 logs per project and 100 MB per account are kept; if the log was removed, this says so. */
      buildLogs: string | null
      /** @description Whether the image is still kept, so that you can roll back to it. */
      canRollback: boolean
      commitHash: string | null
      commitMsg: string | null
      createdAt: components['schemas']['Timestamp']
      /** @description Seconds from start to end. */
      duration: number | null
      /** @description Null unless `status` is FAILED, and for old deployments. */
      failure: components['schemas']['DeploymentFailure'] | null
      id: components['schemas']['Id']
      projectId: components['schemas']['Id']
      status: components['schemas']['DeploymentStatus']
      trigger: components['schemas']['DeploymentTrigger']
      updatedAt: components['schemas']['Timestamp']
    }
    DeploymentChanges: {
      /** @description The previous release; null for the first, or if it had no commit. */
      base: {
        commitHash: string
        deploymentId: components['schemas']['Id']
      } | null
      /** @description Commits since the previous release, newest first, up to 50. */
      commits: {
        at: components['schemas']['Timestamp']
        author: string
        hash: string
        /** @description Up to 300 characters. */
        subject: string
      }[]
      /** @description Whether the list is complete. False if there are more commits, or if one of the two is no longer on the branch. */
      complete: boolean
    }
    DeploymentFailure: {
      /** @description Exit code of the build step or container; null if none exited. */
      exitCode: number | null
      /** @description Log line, 1-based, of the first error, or else of the reason; null if unknown. */
      line: number | null
      /** @description PREPARE: preparing. SOURCE: fetching the repository. BUILD: building the image. START: starting the container. */
      phase: components['schemas']['FailurePhase']
      /** @description One sentence, the same as at the end of the log. Secrets are masked. */
      reason: string
      sentences: components['schemas']['FailureSentences']
    }
    DeploymentList: {
      deployments: components['schemas']['Deployment'][]
      pagination: components['schemas']['Pagination']
    }
    DeploymentLogPiece: {
      /** @description Whether the deployment has ended and this is the end of its log. */
      complete: boolean
      /** @description With `tail`: the number of the first line, 1-based. */
      line?: number
      /** @description UTF-8 byte offset of the next piece. */
      next: number
      offset: number
      /** @description Whether the log was removed to save space. */
      removed: boolean
      /** @description Up to 256 KiB. Secrets are masked as in `buildLogs`. */
      text: string
    }
    /**
     * @description QUEUED: waiting. BUILDING: the image is being built. DEPLOYING: the container is starting. RUNNING: finished successfully; `active` says which deployment is live now. FAILED (see `failure`) and CANCELLED: the previous release stays live.
     * @enum {string}
     */
    DeploymentStatus: 'QUEUED' | 'BUILDING' | 'DEPLOYING' | 'RUNNING' | 'FAILED' | 'CANCELLED'
    /**
     * @description MANUAL: `buildProject`. WEBHOOK: a push. DEPLOY: the latest image again. ROLLBACK: a previous image.
     * @enum {string}
     */
    DeploymentTrigger: 'MANUAL' | 'WEBHOOK' | 'DEPLOY' | 'ROLLBACK'
    DeployRequest: {
      domain?: string
    } | null
    DeployResult: {
      containerId: string
      containerStatus: string
      deployedDomain: string
      internalPort: number
    }
    /**
     * @description What is wrong with the value, for programs and translations; INVALID if only the message says.
     * @enum {string}
     */
    DetailCode:
      | 'MISSING'
      | 'TEXT_EXPECTED'
      | 'NUMBER_EXPECTED'
      | 'WHOLE_NUMBER_EXPECTED'
      | 'BOOLEAN_EXPECTED'
      | 'LIST_EXPECTED'
      | 'OBJECT_EXPECTED'
      | 'NULL_EXPECTED'
      | 'OTHER_TYPE'
      | 'ONLY'
      | 'ONE_OF'
      | 'NOT_KNOWN'
      | 'EMPTY'
      | 'TOO_SHORT'
      | 'TOO_LONG'
      | 'OTHER_LENGTH'
      | 'TOO_FEW'
      | 'TOO_MANY'
      | 'OTHER_NUMBER'
      | 'AT_LEAST'
      | 'MORE_THAN'
      | 'AT_MOST'
      | 'LESS_THAN'
      | 'TOO_LARGE_NUMBER'
      | 'MULTIPLE_OF'
      | 'EMAIL'
      | 'URL'
      | 'IPV4'
      | 'IPV6'
      | 'DATE_TIME'
      | 'DATE'
      | 'JSON'
      | 'OTHER_FORM'
      | 'UNKNOWN_MEMBERS'
      | 'NAME_IN_IT'
      | 'ENTRY_IN_IT'
      | 'NO_FORM'
      | 'INVALID'
      | 'ABSOLUTE_PATH'
      | 'AFTER_FROM'
      | 'BLANK_LINE'
      | 'BOT_TOKEN'
      | 'BRANCH'
      | 'CHAT'
      | 'CLOCK_TIME'
      | 'CODE_OF_APP'
      | 'DATABASE_NAME'
      | 'DATABASE_NAME_TAKEN'
      | 'DOMAIN_ADDRESS'
      | 'DOMAIN_DOT'
      | 'DOMAIN_FORM'
      | 'DOMAIN_FULL'
      | 'DOMAIN_LENGTH'
      | 'DOMAIN_NAME'
      | 'DOMAIN_PROTOCOL'
      | 'DOMAIN_SPACES'
      | 'DOMAIN_WILDCARD'
      | 'EMAIL_AS_PASSWORD'
      | 'BAN_ADDRESS'
      | 'BAN_ALLOWED_NETWORK'
      | 'FIREWALL_ANY_PORTS'
      | 'FIREWALL_PORTS'
      | 'FIREWALL_SOURCE'
      | 'FOLDER_NAME'
      | 'HALF_CHARACTER'
      | 'HEAD_HAS_NO_TEXT'
      | 'HOOK_ADDRESS'
      | 'HOST'
      | 'HOST_KEY'
      | 'IDENTIFIER'
      | 'IMAP_PORT'
      | 'KEEP_ONE_BACKUP'
      | 'LETTERS_WITHOUT_SPACES'
      | 'LISTED_SENDER'
      | 'LOCAL_PART'
      | 'MAILBOX_AS_PASSWORD'
      | 'MAIL_SERVER_NAME'
      | 'MODE'
      | 'NOTHING_TO_CHANGE'
      | 'NUL'
      | 'ONE_LINE'
      | 'OTHER_NEW_PASSWORD'
      | 'OTHER_PASSWORD'
      | 'PATH_PREFIX'
      | 'PEM_CERTIFICATE'
      | 'PLAIN_TEXT'
      | 'PRIVATE_KEY'
      | 'PROJECT_FOR_VARIABLES'
      | 'PROJECT_NAME'
      | 'PUNYCODE_NAME'
      | 'RELATIVE_PATH'
      | 'SINGLE_LINE'
      | 'SLUG'
      | 'STATUS_SET'
      | 'TIME_ZONE'
      | 'TOPIC'
      | 'UNICODE'
      | 'UPTIME_PATH'
      | 'VALUE_OF_64_KIB'
      | 'VARIABLE_NAME'
      | 'WEB_ADDRESS'
      | 'WELL_FORMED'
      | 'AAAA_VALUE'
      | 'ADDRESS_AS_TARGET'
      | 'ALIAS_PARAMS'
      | 'ALPN_EMPTY'
      | 'ALPN_ESCAPE'
      | 'ALPN_LENGTH'
      | 'ALPN_MISSING'
      | 'ASCII_LINE'
      | 'A_VALUE'
      | 'BYTE_EXPECTED'
      | 'CAA_FORM'
      | 'CAA_VALUE'
      | 'CNAME_AT_APEX'
      | 'DOHPATH'
      | 'ECH'
      | 'ESCAPE'
      | 'HALF_CHARACTER_IN_TEXT'
      | 'HEX_COUNT'
      | 'HEX_PAIRS'
      | 'HINT_EMPTY'
      | 'HOST_NAME'
      | 'HOST_OWNER'
      | 'MANDATORY_EMPTY'
      | 'MANDATORY_FORM'
      | 'MANDATORY_MISSING'
      | 'MANDATORY_ONCE'
      | 'NAME_FORM'
      | 'NAME_LABELS'
      | 'NAME_OF_WILDCARD'
      | 'NAME_OUTSIDE'
      | 'NAME_TWICE'
      | 'NAPTR_BOTH'
      | 'NAPTR_FLAGS'
      | 'NAPTR_FORM'
      | 'NAPTR_NUMBER'
      | 'NAPTR_TEXTS'
      | 'NO_DEFAULT_ALPN'
      | 'NO_MAIL_PRIORITY'
      | 'NS_WILDCARD'
      | 'NUMBER_RANGE'
      | 'OWN_NAME'
      | 'PARAM_ESCAPES'
      | 'PARAM_EXPECTED'
      | 'PARAM_TWICE'
      | 'PARAM_UNKNOWN'
      | 'PORT_FORM'
      | 'PORT_RANGE'
      | 'QUOTES'
      | 'SERVICE_FORM'
      | 'SERVICE_TARGET'
      | 'SSHFP_FORM'
      | 'SUBSTITUTION_DELIMITER'
      | 'SUBSTITUTION_EXPRESSION'
      | 'SUBSTITUTION_FLAGS'
      | 'SUBSTITUTION_GROUPS'
      | 'SUBSTITUTION_PARTS'
      | 'TARGET_FORM'
      | 'TARGET_TOO_LONG'
      | 'TLSA_FORM'
      | 'TTL_RANGE'
      | 'TXT_NOT_UTF_8'
    DetectedCommand: {
      command: string
      /** @description SETTING: buildCmd or startCmd of the project. PROCFILE: its `web:` line. PACKAGE_JSON: a script, or `main`. FRAMEWORK: the default of the framework. FILE: a file with a well-known name. */
      source: components['schemas']['CommandSource']
    }
    DetectedMailRecord: {
      /** @description Why there is no answer, such as NXDOMAIN or TIMEOUT. */
      error: string | null
      recordName: string
      recordType: components['schemas']['MailRecordType']
      resolver: string
      values: string[]
    }
    DetectedRecord: {
      /** @description Why there is no answer, such as NXDOMAIN or TIMEOUT. */
      error: string | null
      recordName: string
      recordType: components['schemas']['DetectedRecordType']
      resolver: string
      values: string[]
    }
    /** @enum {string} */
    DetectedRecordType: 'TXT' | 'A'
    Detection: {
      /** @description Null: no build step. */
      build: components['schemas']['DetectedCommand'] | null
      /** @description The inspected commit; null if none. */
      commitHash: string | null
      /** @description One sentence, the same as at the start of a build log. */
      description: string | null
      framework: string | null
      /** @description Further notes, one or two sentences each. */
      notes: string[]
      /** @description The codes of `notes`, one for each, in the same order, with their `values`. */
      noteSentences: {
        code: components['schemas']['DetectionNoteCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
      /** @description How the project can override the detection. */
      override: string
      packageManager: string | null
      /** @description Null: the port that the image exposes, else 8080. */
      port: number | null
      /** @description Why it cannot be built, and what to do. */
      problem: string | null
      sentences: components['schemas']['FailureSentences']
      /** @description Directories to look for a site in: the first with an index.html is served. */
      site: string[] | null
      /** @description Null: served by a built-in web server, or started as the Dockerfile says. */
      start: components['schemas']['DetectedCommand'] | null
      type: components['schemas']['ProjectType']
    }
    /** @enum {string} */
    DetectionNoteCode:
      | 'SEVERAL_LOCK_FILES'
      | 'NO_LOCK_FILE'
      | 'OTHER_NODE'
      | 'ADAPTER_AUTO'
      | 'NOTHING_TO_RUN'
      | 'NO_WAY_TO_START'
      | 'START_NOT_OF_SITE'
      | 'START_NOT_OF_WORDPRESS'
      | 'BUILD_NOT_OF_DOCKERFILE'
      | 'HEALTHCHECK_NOT_USED'
      | 'PLATFORM_NOT_USED'
      | 'BUILDER_DECIDES'
    DisableTwoFactor: {
      codeOrRecovery: components['schemas']['SecondFactor']
      password: string
    }
    DiskUsage: {
      /** @description Containers that have used more than 80% of what they may write outside /data; above 100% they are stopped. A new deployment starts empty. */
      containersNearLimit: components['schemas']['ContainerNearLimit'][]
      /** @description Whether the file system enforces the limit for files; otherwise usage is measured every few minutes. */
      isHardLimit: boolean
      kinds: {
        bytes: number
        kind: components['schemas']['DiskUsageKind']
        /** @description Null before the first measurement. */
        measuredAt: components['schemas']['Timestamp'] | null
      }[]
      /** @description maxDiskMb in bytes; null means unlimited. */
      limitBytes: number | null
      /** @description When usage exceeded the limit: files, builds and databases are rejected from then on, and containers that keep growing are stopped after a grace period. */
      overSince: components['schemas']['Timestamp'] | null
      usedBytes: number
    }
    DiskUsageDay: {
      /**
       * Format: date
       * @description In UTC.
       */
      day: string
      kinds: {
        bytes: number
        kind: components['schemas']['DiskUsageKind']
      }[]
      usedBytes: number
    }
    /** @enum {string} */
    DiskUsageKind: 'FILES' | 'CONTAINERS' | 'IMAGES' | 'DATABASES' | 'LOGS' | 'MAIL'
    DkimKey: {
      createdAt: components['schemas']['Timestamp']
      domainId: components['schemas']['Id']
      id: components['schemas']['Id']
      /** @description Whether its record is in a zone hosted here; never for a CONNECTED domain. */
      inDns: boolean
      /** @description Whether mail is signed with this key. */
      isSigning: boolean
      /** @description Bits. */
      keyLength: number
      /** @description Base64-encoded DER: the `p=` value of its record. */
      publicKey: string
      recordName: string
      recordValue: string
      /** @description When it was replaced; null for the ACTIVE key. */
      retiredAt: components['schemas']['Timestamp'] | null
      selector: string
      /** @description RETIRING: replaced; its record stays for mail in transit. RETIRED: record and private key are deleted. */
      status: components['schemas']['DkimKeyStatus']
      userId: components['schemas']['Id']
    }
    DkimKeyList: {
      keys: components['schemas']['DkimKey'][]
      pagination: components['schemas']['Pagination']
    }
    /** @enum {string} */
    DkimKeyStatus: 'ACTIVE' | 'RETIRING' | 'RETIRED'
    DkimRotation: {
      message: string
      newKey: components['schemas']['DkimKey']
      oldKey: components['schemas']['DkimKey']
    }
    /** @enum {string} */
    DmarcDisposition: 'none' | 'quarantine' | 'reject'
    /** @enum {string} */
    DmarcResult: 'pass' | 'fail'
    DmarcSource: {
      /**
       * Format: date
       * @description In UTC.
       */
      day: string
      /** @description What the receiver did with it. */
      disposition: components['schemas']['DmarcDisposition']
      /** @description Signed by the domain in its From header (aligned). */
      dkim: components['schemas']['DmarcResult']
      /** @description The signing domain, aligned or not. */
      dkimDomain: string | null
      headerFrom: string | null
      messages: number
      /** @description Passed DMARC: `dkim` or `spf` passed. */
      passes: boolean
      /** @description Name of the reporting organization. */
      reporter: string
      /** @description Id of the report on this server; the same for all of its sources. */
      reportId: components['schemas']['Id']
      /** @description Source of the mail; null if a report contains so many that they were combined. */
      sourceIp: string | null
      /** @description Sent from an address that may send for the domain in its From header (aligned). */
      spf: components['schemas']['DmarcResult']
      /** @description Domain of the envelope sender. */
      spfDomain: string | null
    }
    DmarcSummary: {
      domain: string
      domainId: components['schemas']['Id']
      /**
       * Format: date
       * @description In UTC.
       */
      from: string
      /** @description When the last report arrived; null if none is kept. */
      lastReportAt: components['schemas']['Timestamp'] | null
      pagination: components['schemas']['Pagination']
      /** @description Reports sent to this address are processed. */
      reportAddress: string
      /** @description Latest day first, then by number of messages. */
      sources: components['schemas']['DmarcSource'][]
      /**
       * Format: date
       * @description In UTC.
       */
      to: string
      totals: {
        failing: number
        messages: number
        /** @description Number of messages. */
        passing: number
        reports: number
      }
    }
    DnsInfo: {
      baseDomain: string
      /** @description PANEL_DOMAIN. */
      domain: string | null
      publicIp: string | null
      /** @description Empty if PANEL_DOMAIN or PUBLIC_IP is not configured. */
      records: components['schemas']['DnsInfoRecord'][]
    }
    DnsInfoRecord: {
      name: string
      purpose: string
      type: components['schemas']['DnsInfoRecordType']
      value: string
    }
    /** @enum {string} */
    DnsInfoRecordType: 'A' | 'AAAA'
    /** @enum {string} */
    DnsInfoState: 'Live' | 'Not pointed here yet' | 'Not found'
    DnsInfoVerification: {
      baseDomain: string
      domain: string | null
      publicIp: string | null
      records: {
        name: string
        /** @description The queried name: for a wildcard, a fixed name below it. */
        probedName: string
        purpose: string
        resolvers: {
          error: string | null
          latencyMs: number
          resolver: string
          state: components['schemas']['DnsInfoState']
          values: string[]
        }[]
        state: components['schemas']['DnsInfoState']
        type: components['schemas']['DnsInfoRecordType']
        value: string
      }[]
    }
    /**
     * @description CONNECTED: DNS is hosted elsewhere and points here. MANAGED: this server hosts the zone.
     * @enum {string}
     */
    DnsMode: 'CONNECTED' | 'MANAGED'
    DnsPropagation: {
      expected: string
      /** @description The queried name. */
      name: string
      recordId: components['schemas']['Id']
      resolvers: {
        detectedRecords: string[]
        error: string | null
        latencyMs: number
        resolver: string
        status: components['schemas']['PropagationStatus']
      }[]
      type: components['schemas']['DnsRecordType']
    }
    DnsRecord: {
      createdAt: components['schemas']['Timestamp']
      domainId: components['schemas']['Id']
      id: components['schemas']['Id']
      /** @description Null: yours. VERIFICATION: proves that the domain is yours; read-only. NAME_SERVER: a name server of this server in its own zone; read-only. */
      managedBy: components['schemas']['DnsRecordManager'] | null
      /** @description Relative to the domain; the full host name for the verification record. */
      name: string
      port: number | null
      priority: number | null
      ttl: number
      type: components['schemas']['DnsRecordType']
      updatedAt: components['schemas']['Timestamp']
      value: string
      weight: number | null
    }
    /** @enum {string} */
    DnsRecordManager: 'VERIFICATION' | 'NAME_SERVER'
    /** @enum {string} */
    DnsRecordType:
      | 'A'
      | 'AAAA'
      | 'CNAME'
      | 'MX'
      | 'TXT'
      | 'NS'
      | 'SRV'
      | 'CAA'
      | 'PTR'
      | 'SSHFP'
      | 'TLSA'
      | 'SVCB'
      | 'HTTPS'
      | 'NAPTR'
    Dnssec: {
      /** @description Whether the parent zone has a DS record; null if no resolver responds. */
      dsAtParent: boolean | null
      /** @description Set these at the registrar after you enable signing. Empty until the zone is signed. */
      dsRecords: {
        algorithm: number
        digest: string
        digestType: number
        keyTag: number
        /** @description In the format registrars accept: `12345 13 2 <digest>`. */
        text: string
      }[]
      enabled: boolean
      /** @description The next step. */
      message: string
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['DnssecCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
    }
    /** @enum {string} */
    DnssecCode: 'OFF' | 'OTHER_KEYS' | 'BEING_SIGNED' | 'DS_UNKNOWN' | 'DS_MISSING' | 'COMPLETE' | 'DS_WRONG'
    Domain: {
      /** @description Its own certificate, also while it is ordered or if the order failed; see GET …/ssl for details. */
      certificate: {
        status: components['schemas']['CertificateStatus']
        validTo: components['schemas']['Timestamp'] | null
      } | null
      createdAt: components['schemas']['Timestamp']
      dnsMode: components['schemas']['DnsMode']
      /** @description A full host name, or `*.<parent>`; internationalized names as A-labels. */
      hostname: string
      id: components['schemas']['Id']
      isWildcard: boolean
      parentId: components['schemas']['Id'] | null
      pathPrefix: string | null
      projectId: components['schemas']['Id'] | null
      /** @description Whether it is served with its own certificate. */
      sslEnabled: boolean
      status: components['schemas']['DomainStatus']
      updatedAt: components['schemas']['Timestamp']
      /** @description `panel-verify-<32 hex characters>`; null if verified through a parent domain. */
      verificationToken: string | null
    }
    /** @enum {string} */
    DomainChangeStatus: 'PENDING' | 'ACTIVE' | 'ERROR' | 'REMOVED'
    /** @description One page; `X-Total-Count` has the total, `Link` the URLs of the next and previous page. */
    DomainList: components['schemas']['Domain'][]
    /**
     * @description PENDING: ownership is not verified yet. ACTIVE: verified and routed. ERROR: the last check did not find the verification record.
     * @enum {string}
     */
    DomainStatus: 'PENDING' | 'ACTIVE' | 'ERROR'
    /**
     * Format: email
     * @description Case-insensitive.
     */
    Email: string
    EnvFileText: {
      /** @description One line `KEY=value` per variable. */
      content: string
    }
    EnvImportPreview: {
      added: {
        key: string
        line: number
      }[]
      /** @description Existing variables that stay unchanged. */
      kept: {
        key: string
        line: number
      }[]
      /** @description Existing variables that are replaced (`overwrite`). */
      replaced: {
        key: string
        line: number
      }[]
    }
    EnvKey: string
    EnvValue: string
    EnvVar: {
      createdAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      key: string
      /** @constant */
      maskedValue: '••••••••'
      projectId: components['schemas']['Id']
      /** @description Whether the value is masked in build and deployment logs. */
      sensitive: boolean
      updatedAt: components['schemas']['Timestamp']
    }
    EnvVarList: {
      variables: components['schemas']['EnvVar'][]
    }
    EnvVarsImported: {
      count: number
      /** @description Only with `dryRun`. */
      preview?: components['schemas']['EnvImportPreview']
      /** @description Lines that are neither a variable nor blank nor a comment, and variables that already exist and stay; the first 1,000. */
      skipped: components['schemas']['SkippedVariable'][]
      variables: components['schemas']['EnvVar'][]
    }
    EnvVarWritten: {
      count: number
      variables: components['schemas']['EnvVar'][]
    }
    Error: {
      code: components['schemas']['ErrorCode']
      details?: {
        code: components['schemas']['DetailCode']
        /** @description In English; continues a sentence that starts with the path. */
        message: string
        path: string
        /** @description Values of the message: `count`, `limit` or `names`. */
        values?: {
          [key: string]: string | number
        }
      }[]
      /** @description A message for people: what happened and what to do. */
      error: string
      /** @description Only for codes that end in _UNAVAILABLE and only for an ADMIN (a session, or a token with the scope `full`), because it may contain paths and addresses of the server. `error` includes both then. */
      outage?: {
        /** @description What the component or the operating system reported. */
        cause?: string
        remedy: string
        sentences: components['schemas']['RemedySentences']
      }
      /** @description Why the Git repository could not be fetched: `error` in machine-readable form, one code per sentence, with its `values`. */
      sentences?: components['schemas']['FailureSentences']
    }
    /** @enum {string} */
    ErrorCode:
      | 'VALIDATION_ERROR'
      | 'MALFORMED_JSON'
      | 'MALFORMED_REQUEST'
      | 'INVALID_TARGET'
      | 'UNAUTHENTICATED'
      | 'INVALID_CREDENTIALS'
      | 'SIGNATURE_INVALID'
      | '2FA_INVALID_CODE'
      | 'LINK_INVALID'
      | 'FORBIDDEN'
      | 'FORBIDDEN_ROLE'
      | 'ADMIN_2FA_REQUIRED'
      | 'ACCOUNT_SUSPENDED'
      | 'FRESH_AUTH_REQUIRED'
      | 'OVERSELL_NOT_ENABLED'
      | 'REGISTRATION_DISABLED'
      | 'SETUP_TOKEN_REQUIRED'
      | 'QUOTA_EXCEEDED'
      | 'DOMAIN_NOT_VERIFIED'
      | 'NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'REQUEST_TIMEOUT'
      | 'CONFLICT'
      | 'EMAIL_EXISTS'
      | 'TWO_FACTOR_ENABLED'
      | 'TWO_FACTOR_NOT_ENABLED'
      | 'ACCOUNT_NOT_EMPTY'
      | 'LAST_ADMIN'
      | 'SETTING_FIXED'
      | 'PROJECT_NAME_EXISTS'
      | 'GIT_NOT_CONNECTED'
      | 'NOT_BUILT'
      | 'IMAGE_NOT_KEPT'
      | 'CONTAINER_MISSING'
      | 'DEPLOYMENT_FINISHED'
      | 'DEPLOYMENT_IN_PROGRESS'
      | 'DEPLOYMENT_FAILED'
      | 'HOSTNAME_EXISTS'
      | 'HOSTNAME_RESERVED'
      | 'DOMAIN_NOT_ACTIVE'
      | 'DNS_NOT_MANAGED'
      | 'DNS_MODE_MAIL_ACTIVE'
      | 'DNS_NOT_DELEGATED'
      | 'DNS_ZONE_CONFLICT'
      | 'DNS_RECORD_EXISTS'
      | 'DNS_RECORD_CONFLICT'
      | 'DNS_RECORD_LIMIT'
      | 'DNSSEC_DS_PRESENT'
      | 'CERTIFICATE_EXISTS'
      | 'CERTIFICATE_PENDING'
      | 'CERTIFICATE_NOT_RENEWABLE'
      | 'CERTIFICATE_INVALID'
      | 'KEY_INVALID'
      | 'KEY_MISMATCH'
      | 'CHAIN_INVALID'
      | 'CERTIFICATE_EXPIRED'
      | 'CERTIFICATE_HOST_MISMATCH'
      | 'DATABASE_NAME_EXISTS'
      | 'DATABASE_VARIABLES_EXIST'
      | 'DATABASE_CHANGING'
      | 'MAILBOX_EXISTS'
      | 'MAIL_ALIAS_EXISTS'
      | 'MAIL_ALIAS_LOOP'
      | 'DKIM_KEY_MISSING'
      | 'DKIM_KEY_PENDING'
      | 'DKIM_KEY_IN_USE'
      | 'DKIM_KEY_LIMIT'
      | 'PATH_INVALID'
      | 'PATH_FORBIDDEN'
      | 'PATH_PROTECTED'
      | 'FILE_ALREADY_EXISTS'
      | 'FILE_CHANGED'
      | 'NOT_A_FILE'
      | 'NOT_A_DIRECTORY'
      | 'NOT_TEXT'
      | 'RANGE_NOT_SATISFIABLE'
      | 'ADDRESS_EXEMPT'
      | 'BANS_OFF'
      | 'FIREWALL_CHANGE_PENDING'
      | 'FIREWALL_CONNECTION_OLD'
      | 'FIREWALL_LOCKOUT'
      | 'FIREWALL_SSH_LOCKOUT'
      | 'ARCHIVE_INVALID'
      | 'SSH_KEY_INVALID'
      | 'SSH_KEY_EXISTS'
      | 'NOT_WORDPRESS'
      | 'WORDPRESS_IMPORT_RUNNING'
      | 'WORDPRESS_IMPORT_FAILED'
      | 'PORTS_EXHAUSTED'
      | 'NETWORKS_EXHAUSTED'
      | 'PAYLOAD_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'GIT_URL_UNSUPPORTED'
      | 'GIT_UNREACHABLE'
      | 'BACKUP_TARGET_UNREACHABLE'
      | 'RATE_LIMITED'
      | 'HEADERS_TOO_LARGE'
      | 'BUSY'
      | 'INTERNAL'
      | 'CONTAINER_ENGINE_UNAVAILABLE'
      | 'REVERSE_PROXY_UNAVAILABLE'
      | 'DNS_SERVER_UNAVAILABLE'
      | 'MAIL_UNAVAILABLE'
      | 'STORE_UNAVAILABLE'
      | 'WORKER_UNAVAILABLE'
      | 'DATABASE_SERVER_UNAVAILABLE'
      | 'DATABASE_ADMIN_UNAVAILABLE'
      | 'FILES_UNAVAILABLE'
      | 'FIREWALL_UNAVAILABLE'
      | 'SFTP_UNAVAILABLE'
      | 'DISK_FULL'
    ExtractArchive: {
      /** @description A .zip, .tar, .tar.gz or .tgz in the project. */
      path: components['schemas']['ClientPath']
      /**
       * @description Target directory.
       * @default
       */
      to?: components['schemas']['ClientPath']
    }
    ExtractedArchive: {
      bytes: number
      directories: number
      files: number
    }
    /** @enum {string} */
    FailureCode:
      | 'TIMED_OUT'
      | 'PANEL_STOPPED'
      | 'PANEL_STOPPED_MEANWHILE'
      | 'OUR_FAULT'
      | 'DISK_LOW'
      | 'NO_REPOSITORY'
      | 'NO_DOCKERFILE'
      | 'DOCKERFILE_IS_LINK'
      | 'DOCKERFILE_TOO_LARGE'
      | 'DOCKERFILE_NO_FROM'
      | 'DOCKERFILE_TOO_MANY_IMAGES'
      | 'IMAGE_OF_PROJECT'
      | 'IMAGE_OF_SERVER'
      | 'IMAGE_HAS_ONBUILD'
      | 'IMAGE_NOT_PULLED'
      | 'IMAGE_GONE_AGAIN'
      | 'REGISTRY_PRIVATE'
      | 'FILE_TOO_LARGE_TO_READ'
      | 'MANIFESTS_TOO_LARGE'
      | 'DEPENDENCY_LIST_TOO_LARGE'
      | 'REPOSITORY_TOO_LARGE'
      | 'REPOSITORY_TOO_LARGE_TO_BUILD'
      | 'NOT_JSON'
      | 'NO_JSON_OBJECT'
      | 'NOT_TOML'
      | 'NO_NODE_START'
      | 'NO_NODE_FILE'
      | 'NO_PYTHON_START'
      | 'NO_PYTHON_FILE'
      | 'NO_SITE'
      | 'NO_WORDPRESS'
      | 'OTHER_PLATFORM'
      | 'GIT_OUT_OF_MEMORY'
      | 'GIT_HOST_KEY'
      | 'GIT_KEY_REFUSED'
      | 'GIT_PRIVATE'
      | 'GIT_NOT_FOUND'
      | 'GIT_NOT_FOUND_BY_SSH'
      | 'GIT_NO_BRANCH'
      | 'GIT_REDIRECTS'
      | 'GIT_NAME_UNKNOWN'
      | 'GIT_TIMED_OUT'
      | 'GIT_NOT_REACHED'
      | 'GIT_NOT_TRUSTED'
      | 'GIT_SERVER_ERROR'
      | 'GIT_DISK_FULL'
      | 'GIT_PROTOCOL'
      | 'GIT_BAD_OBJECTS'
      | 'GIT_BROKEN_OFF'
      | 'GIT_FAILED'
      | 'GIT_GAVE_NO_REASON'
      | 'GIT_TOO_LARGE'
      | 'GIT_TOO_SLOW'
      | 'GIT_TOO_MANY_MESSAGES'
      | 'GIT_CANCELLED'
      | 'GIT_NOT_ON_BRANCH'
      | 'GIT_MESSAGE_TOO_LONG'
      | 'GIT_INCOMPLETE'
      | 'GIT_TOO_MANY_FILES'
      | 'GIT_COMMIT_MISSING'
      | 'GIT_BUSY'
      | 'GIT_EMPTY'
      | 'GIT_NEEDS_KEY'
      | 'GIT_NEEDS_KEY_OF_PROJECT'
      | 'NOTHING_FETCHED'
      | 'NOT_CONNECTED'
      | 'IMAGE_NOT_KEPT'
      | 'ACCOUNT_GONE'
      | 'NO_HOST_NAME'
      | 'NO_ANSWER'
      | 'CONTAINER_GONE'
      | 'OUT_OF_MEMORY'
      | 'EXITED'
      | 'EXITED_AND_RESTARTED'
      | 'RESTARTED'
    /** @enum {string} */
    FailurePhase: 'PREPARE' | 'SOURCE' | 'BUILD' | 'START'
    /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
    FailureSentences: {
      code: components['schemas']['FailureCode']
      values?: {
        [key: string]: string | number | string[]
      }
    }[]
    Figure: {
      /** @description Short description of the metric. */
      help: string
      labels: {
        [key: string]: string
      }
      /** @description Metric name as in /metrics, including its unit. */
      name: string
      points: {
        recordedAt: components['schemas']['Timestamp']
        value: number
      }[]
    }
    FileContent: {
      content: string
      /** @description Identifies the content: equal content has an equal tag. */
      etag: string
    }
    FileList: {
      /** @description `after` for the next page; null on the last page. */
      next: string | null
      /** @description Sorted by name in code unit order; a directory comes before its contents. */
      nodes: components['schemas']['FileNode'][]
    }
    FileNode: {
      /** @description Lower case, without the dot; empty if none. */
      extension: string
      /** @description Permission bits as four octal digits. */
      mode: string
      mtime: components['schemas']['Timestamp']
      name: string
      /** @description Relative to the project root, without a leading slash. */
      path: string
      size: number
      /** @description A symbolic link has the type of its target inside the project. */
      type: components['schemas']['FileType']
    }
    FileSearch: {
      /** @description False if there were more results than the limit, or more files than one search scans. */
      isComplete: boolean
      nodes: components['schemas']['FileNode'][]
    }
    /** @enum {string} */
    FileType: 'dir' | 'file'
    /** @enum {string} */
    FirewallAction: 'ALLOW' | 'DENY'
    FirewallExport: {
      /** @description What happens to a connection that no rule matches. */
      defaultAction: components['schemas']['FirewallAction']
      /** @constant */
      format: 'panel-firewall'
      /** @constant */
      formatVersion: 1
      /** @description In order: the first rule that matches decides. */
      rules: components['schemas']['FirewallRule'][]
    }
    FirewallPreset: {
      /** @description Whether the saved rules, if enabled, let everyone reach all these ports. */
      open: boolean
      ports: string[]
      protocol: components['schemas']['FirewallProtocol']
      service: components['schemas']['FirewallService']
    }
    /**
     * @description `ANY`: every protocol; such a rule has no ports.
     * @enum {string}
     */
    FirewallProtocol: 'TCP' | 'UDP' | 'TCP_UDP' | 'ANY'
    FirewallRule: {
      action: components['schemas']['FirewallAction']
      enabled: boolean
      /** @description For people; the packet filter never sees it. */
      note: string
      /** @description Destination ports and ranges, such as `443` or `8000-8100`. Empty: every port. */
      ports: string[]
      protocol: components['schemas']['FirewallProtocol']
      /** @description An IPv4 or IPv6 address, or a network in CIDR notation. Null: everyone. */
      source: string | null
    }
    /** @enum {string} */
    FirewallService: 'SSH' | 'PANEL' | 'WEB' | 'SFTP' | 'DNS' | 'SMTP' | 'SUBMISSION' | 'IMAP' | 'MANAGESIEVE'
    FirewallState: {
      /** @description How long a change stays in force without confirmation. */
      confirmSeconds: number
      /** @description What happens to a connection that no rule matches. */
      defaultAction: components['schemas']['FirewallAction']
      enabled: boolean
      /** @description A change that is in force on trial, until it is confirmed or its deadline passes. */
      pending: components['schemas']['PendingFirewallChange'] | null
      /** @description The services of this server that others connect to. */
      presets: components['schemas']['FirewallPreset'][]
      /** @description In order: the first rule that matches decides. */
      rules: components['schemas']['FirewallRule'][]
      /** @description Send it back with a change; it increases with every change. */
      version: number
      /** @description The address that this request came from. */
      yourAddress: string | null
    }
    ForgotPassword: {
      email: components['schemas']['Email']
    }
    FromTo: {
      from: components['schemas']['ClientPath']
      to: components['schemas']['ClientPath']
    }
    GitConnect: {
      /** @default main */
      branch?: components['schemas']['Branch']
      gitUrl: components['schemas']['GitUrl']
      /** @default false */
      isPrivate?: boolean
    }
    GitInfo: {
      branch: string | null
      gitUrl: string | null
      isPrivate: boolean
      sshPublicKey: string | null
      /** @description Null with `secrets=false`, and for API tokens below the scope full. */
      webhookSecret: string | null
      webhookUrl: string
    }
    GitInspect: {
      /** @description Branch to inspect. Default: the default branch of the repository. */
      branch?: components['schemas']['Branch']
      gitUrl: components['schemas']['GitUrl']
      /** @description One of your projects, to use its deploy key. */
      projectId?: components['schemas']['Id']
      /** @description Project type for the detection. Default: guessed from the files. */
      type?: components['schemas']['ProjectType']
    }
    GitInspection: {
      /** @description The inspected branch. */
      branch: string | null
      /** @description Alphabetical, up to 1,000. */
      branches: string[]
      /** @description The default branch; null if there is none. */
      default: string | null
      /** @description How it would be built; null if nothing was read. */
      detection: components['schemas']['Detection'] | null
      /** @description In the form in which it would be stored. */
      gitUrl: string
      /** @description Read with a deploy key, or not readable without one: Git servers do not tell a private repository from a missing one. */
      private: boolean
      /** @description Why nothing was read, and what to do. */
      problem: string | null
      sentences: components['schemas']['FailureSentences']
      /** @description The SSH address of the same repository, for use with a deploy key. */
      sshUrl: string
    }
    GitUrl: string
    Health: {
      parts: {
        [key: string]: components['schemas']['PartStatus']
      }
      /** @description `starting` while any component is; `ok` does not mean that no component is missing or unreachable. */
      status: components['schemas']['HealthStatus']
      version: string
    }
    /** @enum {string} */
    HealthStatus: 'ok' | 'starting'
    Id: string
    /** @enum {string} */
    ImportChangeStatus: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'QUEUED' | 'COMPLETED' | 'CANCELLED'
    ImportEnv: {
      /** @description A .env file with comments, quotes and multi-line values; up to 1,000 variables. */
      content: string
      /**
       * @description Only returns a `preview`; changes nothing.
       * @default false
       */
      dryRun?: boolean
      /**
       * @description Whether to replace existing variables; otherwise they stay and are listed in `skipped`.
       * @default false
       */
      overwrite?: boolean
    }
    ImportFirewall: {
      /**
       * @description Accept rules that block SSH from the address of this request.
       * @default false
       */
      allowSshLockout?: boolean
      document: components['schemas']['FirewallExport']
      version: number
    }
    ImportForm: {
      /**
       * Format: binary
       * @description A tar.gz, tar or zip. Also accepted as `file`.
       */
      archive: string
      dbHost?: string
      /** @description Together with the three fields below: a MySQL database of yours on this server. Default: the project’s database, created if missing. */
      dbName?: string
      dbPassword?: string
      dbUser?: string
    }
    /** @enum {string} */
    ImportKind: 'wordpress' | 'mailbox'
    ImportPreview: {
      /** @description The first 1,000. */
      added: {
        line: number
        name: string
        port: number | null
        priority: number | null
        ttl: number
        type: components['schemas']['DnsRecordType']
        value: string
        weight: number | null
      }[]
      /** @description Records that conflict with yours, which stay (`skip`). The first 1,000. */
      conflicts: components['schemas']['ZoneLine'][]
      counts: {
        added: number
        conflicts: number
        refused: number
        removed: number
        same: number
      }
      /** @description Records that cannot be imported or that the panel manages. The first 1,000. */
      refused: components['schemas']['ZoneLine'][]
      /** @description Your records that are replaced (`replace`). The first 1,000. */
      removed: {
        name: string
        port: number | null
        priority: number | null
        ttl: number
        type: components['schemas']['DnsRecordType']
        value: string
        weight: number | null
      }[]
      /** @description Records that already exist. The first 1,000. */
      same: components['schemas']['ZoneLine'][]
    }
    ImportResult: {
      /** @description One per line that could not be imported: `line 3: why`. */
      errors: string[]
      importedCount: number
      /** @description Only with `dryRun`. */
      preview: components['schemas']['ImportPreview'] | null
      /** @description The imported records. */
      records: components['schemas']['DnsRecord'][]
      /** @description Valid lines that were not needed: the record already exists, yours stays (`skip`), or the panel manages it. The first 1,000. */
      skipped: components['schemas']['ZoneLine'][]
    }
    /** @enum {string} */
    ImportStatus: 'RUNNING' | 'SUCCEEDED' | 'FAILED'
    /** @enum {string} */
    ImportStep: 'RECEIVING' | 'CHECKING' | 'UNPACKING' | 'LOADING' | 'REWRITING' | 'SWAPPING' | 'DONE'
    ImportZone: {
      /**
       * @description Only returns a `preview`; changes nothing.
       * @default false
       */
      dryRun?: boolean
      /** @description `skip` adds missing records, also next to records with the same name and type, whose TTL they take, and changes nothing else. `replace` replaces your records of a name and type with those in the file, including records that conflict with them (at a CNAME, at a delegation); records not in the file stay. */
      strategy: components['schemas']['ZoneImportStrategy']
      /** @description RFC 1035 zone file, without $INCLUDE and $GENERATE. */
      zoneContent: string
    }
    ListedDatabase: {
      /** @description Opens the web admin at this database; asks for the password. */
      adminUrl: string
      autoInjectEnv: boolean
      createdAt: components['schemas']['Timestamp']
      /** @description Host of the database server as seen from project containers. */
      host: string
      /** @description For programs on the server itself; the password is masked. */
      hostUri: string
      id: components['schemas']['Id']
      /** @description For project containers; the password is masked. */
      internalUri: string
      name: string
      port: number
      projectId: components['schemas']['Id'] | null
      /** @description Size on the database server; null if unknown. */
      sizeBytes: number | null
      type: components['schemas']['DatabaseType']
      updatedAt: components['schemas']['Timestamp']
      username: string
    }
    ListedUser: {
      createdAt: components['schemas']['Timestamp']
      email: string
      id: components['schemas']['Id']
      /** @description Language tag, such as `de-AT`; null: the browser’s language. */
      locale: string | null
      maxDatabases: number | null
      /** @description Disk limit in MiB; GET /api/users/:id/disk returns the usage. */
      maxDiskMb: number | null
      maxDomains: number | null
      maxMailboxes: number | null
      maxProjects: number | null
      maxSubAccounts: number | null
      name: string
      oversellingEnabled: boolean
      /** @description The account that created it; null at the top. */
      parentId: components['schemas']['Id'] | null
      permissions: components['schemas']['Permission'][]
      role: components['schemas']['Role']
      /** @description A suspended account cannot sign in; its sites are stopped. */
      suspended: boolean
      theme: components['schemas']['Theme'] | null
      /** @description IANA name; null: the server’s time zone. */
      timezone: string | null
      totpEnabled: boolean
      updatedAt: components['schemas']['Timestamp']
      usage: components['schemas']['AccountUsage']
    }
    /** @description The part before the @; stored in lower case. */
    LocalPart: string
    Login: {
      email: string
      password: string
    }
    LoginChallenge: {
      challengeToken: string
      /** @constant */
      requires2FA: true
    }
    Logs: {
      /** @description Up to 1 MiB. */
      logs: string
    }
    MailAlias: {
      /** @description `*@<domain>` for a catch-all. */
      address: string
      createdAt: components['schemas']['Timestamp']
      domainId: components['schemas']['Id']
      id: components['schemas']['Id']
      localPart: string
      targets: string[]
      updatedAt: components['schemas']['Timestamp']
    }
    MailAliasList: {
      aliases: components['schemas']['MailAlias'][]
      pagination: components['schemas']['Pagination']
    }
    MailAuthCheckResult: {
      authChecks: components['schemas']['AuthChecks']
      /** @description Time of the last DNS lookup for a CONNECTED domain; null before the first, and for a MANAGED domain, whose records are hosted here. */
      checkedAt: components['schemas']['Timestamp'] | null
      deliverabilityGrade: components['schemas']['DeliverabilityGrade']
      /** @description 25 points for each passing check. */
      deliverabilityScore: number
      /** @description Answers of the resolvers; empty for a MANAGED domain, which needs no lookup. */
      detectedRecords: components['schemas']['DetectedMailRecord'][]
      /** @description Whether outgoing mail of the domain is signed. */
      dkimEnabled: boolean
      /** @description The TXT record of the ACTIVE key, at `<dkimSelector>._domainkey`. */
      dkimRecord: string | null
      /** @description Selector of the ACTIVE key. */
      dkimSelector: string | null
      dmarcConfigured: boolean
      dnsMode: components['schemas']['DnsMode']
      domain: string
      domainId: components['schemas']['Id']
      mailboxCount: number
      mxConfigured: boolean
      /** @description Records to add at the DNS provider of a CONNECTED domain; empty for a MANAGED one. */
      requiredRecords: components['schemas']['RequiredRecord'][]
      /** @description What receivers see of the sending server. */
      server: components['schemas']['MailServerCheck']
      spfConfigured: boolean
    }
    MailAuthStatusResponse: {
      authChecks: components['schemas']['AuthChecks']
      /** @description Time of the last DNS lookup for a CONNECTED domain; null before the first, and for a MANAGED domain, whose records are hosted here. */
      checkedAt: components['schemas']['Timestamp'] | null
      deliverabilityGrade: components['schemas']['DeliverabilityGrade']
      /** @description 25 points for each passing check. */
      deliverabilityScore: number
      /** @description Whether outgoing mail of the domain is signed. */
      dkimEnabled: boolean
      /** @description The TXT record of the ACTIVE key, at `<dkimSelector>._domainkey`. */
      dkimRecord: string | null
      /** @description Selector of the ACTIVE key. */
      dkimSelector: string | null
      dmarcConfigured: boolean
      dnsMode: components['schemas']['DnsMode']
      domain: string
      domainId: components['schemas']['Id']
      mailboxCount: number
      mxConfigured: boolean
      /** @description Records to add at the DNS provider of a CONNECTED domain; empty for a MANAGED one. */
      requiredRecords: components['schemas']['RequiredRecord'][]
      spfConfigured: boolean
    }
    Mailbox: {
      address: string
      /** @description Whether an auto-reply is set, now or for later. */
      autoreply: boolean
      createdAt: components['schemas']['Timestamp']
      /** @description Null for a deleted mailbox whose domain was deleted. */
      domainId: components['schemas']['Id'] | null
      /** @description If false, the mailbox cannot log in or send; it still receives mail. */
      enabled: boolean
      id: components['schemas']['Id']
      localPart: string
      /** @description Size limit in MiB. */
      quota: number
      updatedAt: components['schemas']['Timestamp']
      /** @description Current contents; null if the mail server does not report them. */
      usage: {
        bytes: number
        messages: number
      } | null
    }
    MailboxImport: {
      createdAt: components['schemas']['Timestamp']
      endedAt: components['schemas']['Timestamp'] | null
      /** @description The requested folders; null: all. */
      folders: string[] | null
      host: string
      id: components['schemas']['Id']
      /** @description What was skipped, and why: whole folders, or a number of messages in one. The first 100. */
      leftOut: {
        folder: string
        messages: number
        reason: string
      }[]
      mailboxId: components['schemas']['Id']
      port: number
      /** @description Progress of this import; messages that an earlier import copied do not count. */
      progress: {
        bytes: {
          done: number
          /** @description Null until the other server reports the number of bytes. */
          total: number | null
        }
        folders: {
          done: number
          /** @description Null until the other server reports the number of folders. */
          total: number | null
        }
        messages: {
          done: number
          /** @description Null until the other server reports the number of messages. */
          total: number | null
        }
      }
      /** @description Why it failed or waits for a retry, and what to do. */
      reason: string | null
      /** @description TLS from the first byte, or STARTTLS. The certificate must match the host name. */
      security: components['schemas']['ConnectionSecurity']
      startedAt: components['schemas']['Timestamp'] | null
      /** @description An interrupted import returns to QUEUED automatically. A new import from the same mailbox continues where the previous one ended, whatever its status. */
      status: components['schemas']['MailboxImportStatus']
      updatedAt: components['schemas']['Timestamp']
      username: string
    }
    MailboxImportList: {
      /** @description Newest first. */
      imports: components['schemas']['MailboxImport'][]
      pagination: components['schemas']['Pagination']
    }
    /** @enum {string} */
    MailboxImportStatus: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
    MailboxList: {
      mailboxes: components['schemas']['Mailbox'][]
      pagination: components['schemas']['Pagination']
    }
    /** @description 8 to 128 characters; or an Argon2id hash in PHC format, which is stored as is: up to 262,144 KiB of memory (m), and m times t up to 262,144. */
    MailboxPassword: string
    /** @description Size limit in MiB. */
    MailboxQuota: number
    MailDomain: {
      authChecks: components['schemas']['AuthChecks']
      /** @description Time of the last DNS lookup for a CONNECTED domain; null before the first, and for a MANAGED domain, whose records are hosted here. */
      checkedAt: components['schemas']['Timestamp'] | null
      deliverabilityGrade: components['schemas']['DeliverabilityGrade']
      /** @description 25 points for each passing check. */
      deliverabilityScore: number
      /** @description Whether outgoing mail of the domain is signed. */
      dkimEnabled: boolean
      /** @description The TXT record of the ACTIVE key, at `<dkimSelector>._domainkey`. */
      dkimRecord: string | null
      /** @description Selector of the ACTIVE key. */
      dkimSelector: string | null
      dmarcConfigured: boolean
      dnsMode: components['schemas']['DnsMode']
      domain: string
      domainId: components['schemas']['Id']
      mailboxCount: number
      mxConfigured: boolean
      /** @description Records to add at the DNS provider of a CONNECTED domain; empty for a MANAGED one. */
      requiredRecords: components['schemas']['RequiredRecord'][]
      spfConfigured: boolean
    }
    MailDomainList: {
      domains: components['schemas']['MailDomain'][]
      pagination: components['schemas']['Pagination']
    }
    MailQueueList: {
      messages: components['schemas']['QueueMessage'][]
      /** @description The total counts all matches; the oldest 1,000 of them can be listed. */
      pagination: components['schemas']['Pagination']
    }
    /** @enum {string} */
    MailRecordPurpose: 'SPF' | 'DKIM' | 'DMARC' | 'MX' | 'Mail host' | 'Service' | 'MTA-STS' | 'TLS-RPT'
    /** @enum {string} */
    MailRecordType: 'TXT' | 'MX' | 'A' | 'SRV'
    MailServerCheck: {
      /** @description Public addresses of this server; empty if it has none, and with PANEL_MOCK_DNS. */
      addresses: components['schemas']['ServerAddressCheck'][]
      /** @description Results are cached for a few minutes for all users. */
      checkedAt: components['schemas']['Timestamp']
      /** @description The name in the server’s SMTP greeting. */
      hostname: string
      /** @description For `hostname`, the envelope sender domain (SRS) of forwarded mail: without a record, forwarded mail fails SPF. */
      spf: components['schemas']['AuthCheck']
    }
    /** @enum {string} */
    MailService: 'IMAP' | 'SMTP' | 'ManageSieve'
    MailServiceSettings: {
      host: string
      port: number
      /** @description TLS from the first byte, or STARTTLS before login. */
      security: components['schemas']['ConnectionSecurity']
      /** @description SMTP sends mail; ManageSieve manages filter rules and auto-replies. */
      service: components['schemas']['MailService']
    }
    /** @enum {string} */
    MailServiceStatus: 'running' | 'degraded' | 'stopped'
    MailStatus: {
      imap: {
        /** @description Your enabled mailboxes; for an ADMIN, all. */
        activeMailboxesCount: number
        lastChecked: components['schemas']['Timestamp']
        port143Open: boolean
        port993Open: boolean
        /** @description Whether the SMTP server can reach the IMAP server to check passwords. */
        saslAuthConnected: boolean
        /** @description The IMAP server. */
        service: string
        status: components['schemas']['MailServiceStatus']
        tlsEnforced: boolean
      }
      lastChecked: components['schemas']['Timestamp']
      port25Open: boolean
      port465Open: boolean
      port587Open: boolean
      /** @description The SMTP server. */
      service: string
      spamFilter: {
        lastChecked: components['schemas']['Timestamp']
        /** @description The spam filter. */
        service: string
        /** @description stopped: mail is delivered unfiltered. off: the panel has no spam filter (MAIL_SPAM_FILTER). */
        status: components['schemas']['SpamFilterStatus']
      }
      /** @description degraded: one of its ports or services is not responding. */
      status: components['schemas']['MailServiceStatus']
      /** @description Whether passwords are accepted only over TLS. */
      tlsEnforced: boolean
    }
    MailSyncResult: {
      /** @description Their names. */
      domains: string[]
      mailboxesSynced: number
      success: boolean
      /** @description Domains that are up to date on the mail servers. */
      syncedCount: number
    }
    Message: {
      message: string
    }
    /** @enum {string} */
    MetricRange: '1h' | '24h' | '7d' | '30d'
    MetricSnapshot: {
      cpu_percent: number | null
      disk_total: number | null
      disk_used: number | null
      id: number
      /** @description Mean bytes per second on the interfaces of the default routes. */
      network_received: number | null
      network_sent: number | null
      ram_total: number | null
      ram_used: number | null
      recorded_at: components['schemas']['Timestamp']
    }
    MtaSts: {
      domainId: components['schemas']['Id']
      /** @description The entry for `mta-sts.<domain>`, which has its certificate; null if another account uses that name. */
      hostDomainId: components['schemas']['Id'] | null
      /** @description Whether the policy is served with a trusted certificate. */
      isServed: boolean
      /** @description testing: senders report failures but deliver. enforce: senders hold back mail without trusted TLS. none: no policy. */
      mode: components['schemas']['MtaStsMode']
      policy: string
      /** Format: uri */
      policyUrl: string
      /** @description Why there is no certificate, if issuance was tried. */
      problem: string | null
      recordName: string
      /** @description The id changes with the policy. */
      recordValue: string
      sentences: components['schemas']['CertificateProblem']
    }
    /** @enum {string} */
    MtaStsMode: 'testing' | 'enforce' | 'none'
    Name: string
    NewBackupTarget: {
      createdAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      /** @description Backups start only after the key was confirmed. */
      isKeyConfirmed: boolean
      /** @description Encrypts every backup on this target. Shown once: keep it outside of this server, because the backups cannot be read without it. */
      key: string
      kind: components['schemas']['BackupTargetKind']
      /** @description Latest successful check of the whole repository. */
      lastCheckedAt: components['schemas']['Timestamp'] | null
      /** @description End of the latest backup that was read back. */
      lastGoodAt: components['schemas']['Timestamp'] | null
      /** @description Where it stores, without secrets. */
      location: string
      name: string
      /** @description Why the latest backup or check on this target failed. */
      problem: string | null
    }
    Notification: {
      createdAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      kind: components['schemas']['NotificationKind']
      /** @description Page in the dashboard that shows the subject: a path. */
      link: string | null
      readAt: components['schemas']['Timestamp'] | null
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['NotificationCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
      severity: components['schemas']['NotificationSeverity']
      state: components['schemas']['NotificationState'] | null
      subject: {
        id: string
        name: string
        type: components['schemas']['NotificationSubjectType']
      }
      text: string
      title: string
    }
    NotificationChannel: {
      createdAt: components['schemas']['Timestamp']
      failingSince: components['schemas']['Timestamp'] | null
      id: components['schemas']['Id']
      isEnabled: boolean
      lastSentAt: components['schemas']['Timestamp'] | null
      name: string
      /** @description Why the last delivery failed, or why the channel was disabled. */
      problem: string | null
      /** @description Destination without its secret parts. */
      target: string
      type: components['schemas']['ChannelType']
    }
    NotificationChannelList: {
      channels: components['schemas']['NotificationChannel'][]
    }
    NotificationChannelTest: {
      isDelivered: boolean
      message: string
      responseCode: number | null
    }
    /** @enum {string} */
    NotificationCode:
      | 'BACKUP_FAILED'
      | 'DEPLOYMENT_FAILED'
      | 'DEPLOYMENT_FAILED_BECAUSE'
      | 'DEPLOYMENT_FAILED_SEE_LOG'
      | 'STILL_SERVES'
      | 'DEPLOYMENT_RECOVERED'
      | 'DOWN_CONNECTION_LOST'
      | 'DOWN_TIMEOUT'
      | 'DOWN_STATUS'
      | 'DOWN_TEXT_MISSING'
      | 'DOWN_TEXT_PRESENT'
      | 'DOWN_TLS_NAME'
      | 'DOWN_TLS_EXPIRED'
      | 'DOWN_TLS_FAILED'
      | 'DOWN_PROXY_AWAY'
      | 'DOWN_CHECKER_DELAYED'
      | 'SEE_CONTAINER_LOG'
      | 'UP'
      | 'CERTIFICATE_EXPIRED'
      | 'CERTIFICATE_EXPIRING_SOON'
      | 'CERTIFICATE_RENEWAL_FAILING'
      | 'CERTIFICATE_ISSUANCE_FAILED'
      | 'LAST_TRY'
      | 'LAST_TRY_ENDED'
      | 'TRIED_NOW'
      | 'TRIED_AGAIN'
      | 'UPLOAD_NEW'
      | 'PROVISION_AGAIN'
      | 'RENEW'
      | 'ABOVE_CPU'
      | 'ABOVE_RAM'
      | 'ABOVE_DISK'
      | 'SEE_FIGURES'
      | 'BELOW_CPU'
      | 'BELOW_RAM'
      | 'BELOW_DISK'
      | 'CONTAINER_STOPPED'
      | 'CONTAINER_WROTE_BYTES'
      | 'CONTAINER_WROTE_FILES'
      | 'CONTAINER_NEAR'
      | 'WITHOUT_WHAT_WAS_WRITTEN'
      | 'ACCOUNT_DISK_FULL'
      | 'SIGNED_IN'
      | 'SIGNED_IN_FROM_UNKNOWN'
      | 'IF_NOT_YOU'
      | 'QUOTA_PROJECTS'
      | 'QUOTA_DOMAINS'
      | 'QUOTA_DATABASES'
      | 'QUOTA_MAILBOXES'
      | 'QUOTA_SUB_ACCOUNTS'
      | 'QUOTA_DISK'
      | 'MAKE_ROOM'
      | 'MAIL_LIMIT'
      | 'MAIL_HELD'
      | 'PASSWORD_KNOWN'
      | 'WRITE_TO_ADMINISTRATOR'
      | 'WORDPRESS_IMPORTED'
      | 'MAILBOX_IMPORTED'
      | 'UPDATE'
      | 'UPDATE_OF_SECURITY'
      | 'UPDATE_NOTES'
      | 'ADDRESSES_BANNED'
      | 'CHANNEL_OFF'
      | 'TIMED_OUT'
      | 'PANEL_STOPPED'
      | 'PANEL_STOPPED_MEANWHILE'
      | 'OUR_FAULT'
      | 'DISK_LOW'
      | 'NO_REPOSITORY'
      | 'NO_DOCKERFILE'
      | 'DOCKERFILE_IS_LINK'
      | 'DOCKERFILE_TOO_LARGE'
      | 'DOCKERFILE_NO_FROM'
      | 'DOCKERFILE_TOO_MANY_IMAGES'
      | 'IMAGE_OF_PROJECT'
      | 'IMAGE_OF_SERVER'
      | 'IMAGE_HAS_ONBUILD'
      | 'IMAGE_NOT_PULLED'
      | 'IMAGE_GONE_AGAIN'
      | 'REGISTRY_PRIVATE'
      | 'FILE_TOO_LARGE_TO_READ'
      | 'MANIFESTS_TOO_LARGE'
      | 'DEPENDENCY_LIST_TOO_LARGE'
      | 'REPOSITORY_TOO_LARGE'
      | 'REPOSITORY_TOO_LARGE_TO_BUILD'
      | 'NOT_JSON'
      | 'NO_JSON_OBJECT'
      | 'NOT_TOML'
      | 'NO_NODE_START'
      | 'NO_NODE_FILE'
      | 'NO_PYTHON_START'
      | 'NO_PYTHON_FILE'
      | 'NO_SITE'
      | 'NO_WORDPRESS'
      | 'OTHER_PLATFORM'
      | 'GIT_OUT_OF_MEMORY'
      | 'GIT_HOST_KEY'
      | 'GIT_KEY_REFUSED'
      | 'GIT_PRIVATE'
      | 'GIT_NOT_FOUND'
      | 'GIT_NOT_FOUND_BY_SSH'
      | 'GIT_NO_BRANCH'
      | 'GIT_REDIRECTS'
      | 'GIT_NAME_UNKNOWN'
      | 'GIT_TIMED_OUT'
      | 'GIT_NOT_REACHED'
      | 'GIT_NOT_TRUSTED'
      | 'GIT_SERVER_ERROR'
      | 'GIT_DISK_FULL'
      | 'GIT_PROTOCOL'
      | 'GIT_BAD_OBJECTS'
      | 'GIT_BROKEN_OFF'
      | 'GIT_FAILED'
      | 'GIT_GAVE_NO_REASON'
      | 'GIT_TOO_LARGE'
      | 'GIT_TOO_SLOW'
      | 'GIT_TOO_MANY_MESSAGES'
      | 'GIT_CANCELLED'
      | 'GIT_NOT_ON_BRANCH'
      | 'GIT_MESSAGE_TOO_LONG'
      | 'GIT_INCOMPLETE'
      | 'GIT_TOO_MANY_FILES'
      | 'GIT_COMMIT_MISSING'
      | 'GIT_BUSY'
      | 'GIT_EMPTY'
      | 'GIT_NEEDS_KEY'
      | 'GIT_NEEDS_KEY_OF_PROJECT'
      | 'NOTHING_FETCHED'
      | 'NOT_CONNECTED'
      | 'IMAGE_NOT_KEPT'
      | 'ACCOUNT_GONE'
      | 'NO_HOST_NAME'
      | 'NO_ANSWER'
      | 'CONTAINER_GONE'
      | 'OUT_OF_MEMORY'
      | 'EXITED'
      | 'EXITED_AND_RESTARTED'
      | 'RESTARTED'
      | 'ADDRESS_MISSING'
      | 'ADDRESS_NOT_PUBLIC'
      | 'ADDRESS_NOT_PUBLIC_AAAA'
      | 'LEADS_ELSEWHERE'
      | 'CHANGE_A_RECORD'
      | 'CHANGE_AAAA_RECORD'
      | 'OPEN_PORT'
      | 'WAIT_FOR_TTL'
      | 'CAA_CRITICAL'
      | 'CAA_OTHERS_ONLY'
      | 'CAA_OTHER_METHODS'
      | 'WILDCARD_NOT_MANAGED'
      | 'PROOF_HAS_NO_PLACE'
      | 'CHECK_TOOK_TOO_LONG'
      | 'TOO_MANY_OF_NAME'
      | 'TOO_MANY_FAILURES'
      | 'TOO_MANY_OF_ACCOUNT'
      | 'TOO_MANY_BUT_RENEWALS'
      | 'TOO_MANY_OF_SERVER'
      | 'AUTHORITY_REFUSED'
      | 'AUTHORITY_UNAVAILABLE'
      | 'AUTHORITY_LIMITS'
      | 'ORDER_TOOK_TOO_LONG'
      | 'NOT_SERVABLE'
      | 'ORDER_BROKE'
      | 'IMPORT_BROKE'
      | 'IMPORT_INTERRUPTED'
      | 'IMPORT_NOT_KEPT'
      | 'UPLOAD_CUT_OFF'
      | 'UPLOAD_TOO_SLOW'
      | 'UPLOAD_TOO_LARGE'
      | 'UPLOAD_NOT_WHOLE'
      | 'PROJECT_GONE'
      | 'DATABASE_GONE'
      | 'DATABASE_GONE_MEANWHILE'
      | 'DATABASE_LINKED_MEANWHILE'
      | 'DATABASE_OF_OTHER_PROJECT'
      | 'DATABASE_NOT_YOURS'
      | 'DATABASE_IMMOVABLE'
      | 'VARIABLES_BY_HAND'
      | 'NO_SITE_IN_ARCHIVE'
      | 'SEVERAL_SITES'
      | 'ARCHIVE_UNREADABLE'
      | 'ARCHIVE_TOO_LARGE'
      | 'ARCHIVE_OF_TOO_MANY'
      | 'NO_DUMP'
      | 'TOO_MANY_DUMPS'
      | 'NO_DUMP_OF_SITE'
      | 'SEVERAL_DUMPS_OF_SITE'
      | 'DUMPS_TOO_LARGE'
      | 'DUMP_NOT_PACKED_WELL'
      | 'DUMP_ENDS_INSIDE'
      | 'DUMP_MIXED_STATEMENT'
      | 'DUMP_BACKSLASH'
      | 'DUMP_COMMENT_ENDS'
      | 'DUMP_LONG_WORD'
      | 'DUMP_LONG_STATEMENT'
      | 'DUMP_PLACE_ON_DISK'
      | 'DUMP_SETTING'
      | 'DUMP_STATEMENT'
      | 'DUMP_TEMPORARY_TABLE'
      | 'DUMP_SEVERAL_DATABASES'
      | 'DUMP_REFUSED'
      | 'DUMP_NOT_LOADED'
      | 'DUMP_MADE_PROGRAMS'
      | 'DATABASE_SERVER_REFUSED'
      | 'DATABASE_SERVER_CLOSED'
      | 'NO_TABLES_OF_SITE'
      | 'NETWORK_OF_SITES'
      | 'TABLES_OF_SEVERAL_SITES'
      | 'TABLE_PREFIX'
    NotificationDelivery: {
      attempts: number
      channelId: components['schemas']['Id'] | null
      channelName: string
      channelType: components['schemas']['ChannelType']
      count: number
      createdAt: components['schemas']['Timestamp']
      dueAt: components['schemas']['Timestamp']
      endedAt: components['schemas']['Timestamp'] | null
      id: components['schemas']['Id']
      isTest: boolean
      lastError: string | null
      notificationIds: components['schemas']['Id'][]
      responseCode: number | null
      status: components['schemas']['NotificationDeliveryStatus']
    }
    NotificationDeliveryList: {
      deliveries: components['schemas']['NotificationDelivery'][]
      pagination: components['schemas']['Pagination']
    }
    /** @enum {string} */
    NotificationDeliveryStatus: 'WAITING' | 'SENDING' | 'SENT' | 'FAILED'
    /** @enum {string} */
    NotificationKind:
      | 'deployment-failed'
      | 'deployment-recovered'
      | 'site-down'
      | 'site-up'
      | 'certificate-failing'
      | 'certificate-expiring'
      | 'threshold'
      | 'disk-nearly-full'
      | 'container-disk'
      | 'container-stopped'
      | 'sign-in-from-new-place'
      | 'quota-nearly-used'
      | 'mail-held'
      | 'mail-limit'
      | 'import-finished'
      | 'import-failed'
      | 'backup-failed'
      | 'addresses-banned'
      | 'update-available'
      | 'channel-off'
    NotificationList: {
      notifications: components['schemas']['Notification'][]
      pagination: components['schemas']['Pagination']
      unread: number
    }
    NotificationPreferences: {
      /** @description Channel ids by kind. A kind that is not listed uses the defaults: problems by email. */
      channels: {
        [key: string]: components['schemas']['Id'][]
      }
      /** @description Notifications that are not urgent wait until they end and arrive as one message. */
      quietHours: {
        from: string
        timezone: string
        to: string
      } | null
    }
    /** @enum {string} */
    NotificationSeverity: 'problem' | 'warning' | 'info' | 'good'
    /** @enum {string} */
    NotificationState: 'problem' | 'recovered'
    /** @enum {string} */
    NotificationSubjectType:
      'project' | 'domain' | 'certificate' | 'mailbox' | 'account' | 'server' | 'check' | 'channel'
    Overview: {
      /** @description Latest deployments of all projects, up to 8. */
      deployments: components['schemas']['OverviewDeployment'][]
      /** @description Problems before warnings, newest first; up to 50. */
      items: components['schemas']['OverviewItem'][]
      /** @description Total number, including items that are not listed. */
      total: number
    }
    /** @enum {string} */
    OverviewCode:
      | 'PART_AWAY'
      | 'CONTAINER_STOPPED'
      | 'CONTAINER_LIMIT'
      | 'CERTIFICATE_EXPIRED'
      | 'CERTIFICATE_FAILED'
      | 'CERTIFICATE_RENEWAL_FAILING'
      | 'BACKUP_FAILED'
      | 'BACKUP_OVERDUE'
      | 'DEPLOYMENT_FAILED'
      | 'CONTAINER_RESTARTING'
      | 'DOMAIN_ERROR'
      | 'CERTIFICATE_EXPIRING'
      | 'QUOTA_NEARLY_USED'
      | 'MAIL_HELD'
      | 'TWO_FACTOR_OFF'
      | 'DOMAIN_NOT_VERIFIED'
    OverviewDeployment: {
      commitMsg: string | null
      createdAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      /** @description Whether this deployment is live. */
      isLive: boolean
      projectId: components['schemas']['Id']
      projectName: string
      status: components['schemas']['DeploymentStatus']
      trigger: components['schemas']['DeploymentTrigger']
    }
    OverviewItem: {
      code: components['schemas']['OverviewCode']
      /** @description The cause, if known: why a deployment failed, a certificate error, the remedy for a component, or `9/10`. */
      detail: string | null
      /** @description For a deployment, its project. */
      projectId: components['schemas']['Id'] | null
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['OverviewSentenceCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
      /** @description `problem`: something does not work now; `warning`: it soon will not, or should be improved. */
      severity: components['schemas']['OverviewSeverity']
      /** @description Null if unknown. */
      since: components['schemas']['Timestamp'] | null
      /** @description For a quota its name (`maxProjects`), for a component its name in GET /api/health; for held mail always `held`. */
      targetId: string
      targetType: components['schemas']['OverviewTarget']
      /** @description The name of the resource. */
      title: string
    }
    /** @enum {string} */
    OverviewSentenceCode:
      | 'TIMED_OUT'
      | 'PANEL_STOPPED'
      | 'PANEL_STOPPED_MEANWHILE'
      | 'OUR_FAULT'
      | 'DISK_LOW'
      | 'NO_REPOSITORY'
      | 'NO_DOCKERFILE'
      | 'DOCKERFILE_IS_LINK'
      | 'DOCKERFILE_TOO_LARGE'
      | 'DOCKERFILE_NO_FROM'
      | 'DOCKERFILE_TOO_MANY_IMAGES'
      | 'IMAGE_OF_PROJECT'
      | 'IMAGE_OF_SERVER'
      | 'IMAGE_HAS_ONBUILD'
      | 'IMAGE_NOT_PULLED'
      | 'IMAGE_GONE_AGAIN'
      | 'REGISTRY_PRIVATE'
      | 'FILE_TOO_LARGE_TO_READ'
      | 'MANIFESTS_TOO_LARGE'
      | 'DEPENDENCY_LIST_TOO_LARGE'
      | 'REPOSITORY_TOO_LARGE'
      | 'REPOSITORY_TOO_LARGE_TO_BUILD'
      | 'NOT_JSON'
      | 'NO_JSON_OBJECT'
      | 'NOT_TOML'
      | 'NO_NODE_START'
      | 'NO_NODE_FILE'
      | 'NO_PYTHON_START'
      | 'NO_PYTHON_FILE'
      | 'NO_SITE'
      | 'NO_WORDPRESS'
      | 'OTHER_PLATFORM'
      | 'GIT_OUT_OF_MEMORY'
      | 'GIT_HOST_KEY'
      | 'GIT_KEY_REFUSED'
      | 'GIT_PRIVATE'
      | 'GIT_NOT_FOUND'
      | 'GIT_NOT_FOUND_BY_SSH'
      | 'GIT_NO_BRANCH'
      | 'GIT_REDIRECTS'
      | 'GIT_NAME_UNKNOWN'
      | 'GIT_TIMED_OUT'
      | 'GIT_NOT_REACHED'
      | 'GIT_NOT_TRUSTED'
      | 'GIT_SERVER_ERROR'
      | 'GIT_DISK_FULL'
      | 'GIT_PROTOCOL'
      | 'GIT_BAD_OBJECTS'
      | 'GIT_BROKEN_OFF'
      | 'GIT_FAILED'
      | 'GIT_GAVE_NO_REASON'
      | 'GIT_TOO_LARGE'
      | 'GIT_TOO_SLOW'
      | 'GIT_TOO_MANY_MESSAGES'
      | 'GIT_CANCELLED'
      | 'GIT_NOT_ON_BRANCH'
      | 'GIT_MESSAGE_TOO_LONG'
      | 'GIT_INCOMPLETE'
      | 'GIT_TOO_MANY_FILES'
      | 'GIT_COMMIT_MISSING'
      | 'GIT_BUSY'
      | 'GIT_EMPTY'
      | 'GIT_NEEDS_KEY'
      | 'GIT_NEEDS_KEY_OF_PROJECT'
      | 'NOTHING_FETCHED'
      | 'NOT_CONNECTED'
      | 'IMAGE_NOT_KEPT'
      | 'ACCOUNT_GONE'
      | 'NO_HOST_NAME'
      | 'NO_ANSWER'
      | 'CONTAINER_GONE'
      | 'OUT_OF_MEMORY'
      | 'EXITED'
      | 'EXITED_AND_RESTARTED'
      | 'RESTARTED'
      | 'ADDRESS_MISSING'
      | 'ADDRESS_NOT_PUBLIC'
      | 'ADDRESS_NOT_PUBLIC_AAAA'
      | 'LEADS_ELSEWHERE'
      | 'CHANGE_A_RECORD'
      | 'CHANGE_AAAA_RECORD'
      | 'OPEN_PORT'
      | 'WAIT_FOR_TTL'
      | 'CAA_CRITICAL'
      | 'CAA_OTHERS_ONLY'
      | 'CAA_OTHER_METHODS'
      | 'WILDCARD_NOT_MANAGED'
      | 'PROOF_HAS_NO_PLACE'
      | 'CHECK_TOOK_TOO_LONG'
      | 'TOO_MANY_OF_NAME'
      | 'TOO_MANY_FAILURES'
      | 'TOO_MANY_OF_ACCOUNT'
      | 'TOO_MANY_BUT_RENEWALS'
      | 'TOO_MANY_OF_SERVER'
      | 'AUTHORITY_REFUSED'
      | 'AUTHORITY_UNAVAILABLE'
      | 'AUTHORITY_LIMITS'
      | 'ORDER_TOOK_TOO_LONG'
      | 'NOT_SERVABLE'
      | 'ORDER_BROKE'
      | 'RUN_UP'
      | 'RUN_UP_OR_ASK'
      | 'RUN_UP_OR_CHECK_SERVER'
      | 'RUN_UP_OR_CHECK_SFTP'
      | 'RUN_UP_UNFILTERED'
      | 'RUN_UP_UNLEARNED'
      | 'RUN_UP_UNFORWARDED'
      | 'START_ENGINE'
      | 'CHECK_STORE'
      | 'CHECK_SESSION_STORE'
      | 'INSTALL_GIT'
      | 'MAKE_ROOM_ON_DISK'
      | 'CHECK_NFTABLES'
      | 'CHECK_PROJECTS_DIR'
      | 'TURN_ON_MAIL'
      | 'TURN_ON_SPAM_FILTER'
      | 'TURN_ON_WEBMAIL'
      | 'SET_MAILER'
      | 'ALLOW_HELPER'
      | 'TRY_AGAIN'
      | 'RESTART_WORKER'
    /** @enum {string} */
    OverviewSeverity: 'problem' | 'warning'
    /** @enum {string} */
    OverviewTarget: 'project' | 'deployment' | 'domain' | 'quota' | 'part' | 'mail' | 'account' | 'backup'
    Pagination: {
      limit: number
      page: number
      total: number
      totalPages: number
    }
    PanelVersion: {
      isUpdateAvailable: boolean
      /** @description The latest release found by the last check; null if checks are off (UPDATE_FEED_URL). */
      latest: {
        /** @description Whether it fixes a security vulnerability. */
        security: boolean
        /** Format: date-time */
        seenAt: string
        url: string
        version: string
      } | null
      version: string
    }
    /** @enum {string} */
    PartState: 'ok' | 'starting' | 'idle' | 'missing' | 'unreachable'
    PartStatus: {
      /** @description What to do about a component that is missing or unreachable. */
      remedy?: string
      sentences?: components['schemas']['RemedySentences']
      /** @description `starting`: being started. `idle`: not used yet; starts on first use. `missing`: not installed. `unreachable`: not responding. */
      status: components['schemas']['PartState']
    }
    /** @description 8 to 128 characters; must not be the email address. */
    Password: string
    PathBody: {
      path: components['schemas']['ClientPath']
    }
    PathPrefix: string
    PendingFirewallChange: {
      /** @description The change is reverted at this time unless it is confirmed. */
      deadline: components['schemas']['Timestamp']
      /** @description What happens to a connection that no rule matches. */
      defaultAction: components['schemas']['FirewallAction']
      enabled: boolean
      id: components['schemas']['Id']
      requestedBy: components['schemas']['Id'] | null
      /** @description In order: the first rule that matches decides. */
      rules: components['schemas']['FirewallRule'][]
    }
    /**
     * @description Permissions beyond the role. canManageDns: the records of the server’s own names. canCreateSubAccounts: manage sub-accounts like a RESELLER. canManageFirewall: the firewall of the server. canManageBackups: backups of the whole server.
     * @enum {string}
     */
    Permission: 'canManageDns' | 'canManageFirewall' | 'canManageBackups' | 'canCreateSubAccounts'
    Project: {
      branch: string | null
      buildCmd: string | null
      containerId: string | null
      containerStatus: string | null
      createdAt: components['schemas']['Timestamp']
      deployedAt: components['schemas']['Timestamp'] | null
      deployedDomain: string | null
      gitUrl: string | null
      id: components['schemas']['Id']
      /** @description Host port on 127.0.0.1. */
      internalPort: number | null
      /** @description The latest deployment, whatever its status; present like `state`. */
      latestDeployment?: {
        createdAt: components['schemas']['Timestamp']
        id: components['schemas']['Id']
        status: components['schemas']['DeploymentStatus']
      } | null
      name: string
      /** @description Container port; null means the default of the type. */
      port: number | null
      /** @description Whether the container can only write below /data and /tmp. */
      readOnlyRoot: boolean
      sshPublicKey: string | null
      startCmd: string | null
      /** @description Only in lists and when you get a single project. */
      state?: components['schemas']['ProjectState']
      status: components['schemas']['ProjectStatus']
      /** @description Why the panel stopped the container: CONTAINER_DISK_LIMIT if it wrote too much, or kept writing while the account was out of disk space; CONTAINER_FILES_LIMIT if it created too many files. Null if only its owner stopped it. */
      stopReason?: string | null
      type: components['schemas']['ProjectType']
      updatedAt: components['schemas']['Timestamp']
      userId: components['schemas']['Id']
      /** @description Null in lists, with `secrets=false`, and for API tokens below the scope full. */
      webhookSecret: string | null
    }
    ProjectList: {
      pagination: components['schemas']['Pagination']
      projects: components['schemas']['Project'][]
    }
    ProjectMetric: {
      cpuPercent: number | null
      /** @description Bytes that its containers wrote outside volumes. */
      diskUsed: number | null
      /** @description Bytes since the previous point. */
      networkReceived: number | null
      networkSent: number | null
      ramUsed: number | null
      recordedAt: components['schemas']['Timestamp']
    }
    ProjectName: string
    /**
     * @description DEPLOYING: the latest deployment is in progress. ATTENTION: it failed, the panel stopped the container, or the container should run but does not. RUNNING: the container is running. IDLE: stopped by its owner, or never deployed.
     * @enum {string}
     */
    ProjectState: 'DEPLOYING' | 'RUNNING' | 'ATTENTION' | 'IDLE'
    /**
     * @description The requested state. ACTIVE: its container runs, once deployed. STOPPED: by its owner, a suspension or a limit (`stopReason`). DELETED: deleted; only listed if you filter for it. CREATING: unused.
     * @enum {string}
     */
    ProjectStatus: 'ACTIVE' | 'CREATING' | 'STOPPED' | 'DELETED'
    /**
     * @description How a project is built and run. NODEJS and PYTHON: an application that listens on PORT, with or without a framework; if a NODEJS build only generates a site, it is served as a static site. STATIC: a site, with or without a build. WORDPRESS: WordPress with the theme or plugin from the repository, or none. DOCKERFILE: as its Dockerfile says.
     * @enum {string}
     */
    ProjectType: 'NODEJS' | 'PYTHON' | 'STATIC' | 'WORDPRESS' | 'DOCKERFILE'
    /** @enum {string} */
    PropagationStatus: 'MATCH' | 'MISMATCH' | 'NOT_FOUND'
    PublicStatus: {
      checks: {
        days: {
          /** Format: date */
          day: string
          uptime: number | null
        }[]
        name: string
        state: components['schemas']['UptimeState']
        /** @description Percentage of the known time within the days shown. */
        uptime: number | null
      }[]
      generatedAt: components['schemas']['Timestamp']
      /** @description Newest first, up to 50. */
      incidents: {
        from: components['schemas']['Timestamp']
        name: string
        seconds: number
        to: components['schemas']['Timestamp'] | null
      }[]
      showDays: number
      state: components['schemas']['UptimeState']
      title: string
    }
    PushAccepted: {
      deploymentId: components['schemas']['Id']
      status: components['schemas']['DeploymentStatus']
    }
    PushIgnored: {
      /** @constant */
      ignored: true
      reason: string
    }
    PushPong: {
      /** @constant */
      message: 'pong'
    }
    /**
     * @description `held`: on hold, not tried until released. `active`: being delivered. `none`: waiting.
     * @enum {string}
     */
    QueueFlag: 'held' | 'active' | 'none'
    /** @description The queue id of the message. */
    QueueId: string
    QueueMessage: {
      arrivedAt: components['schemas']['Timestamp']
      flagged: components['schemas']['QueueFlag']
      queueId: string
      /** @description Why it is waiting: the first reason among its recipients. */
      reason: string | null
      /** @description Number of pending recipients. */
      recipientCount: number
      /** @description Recipients that are still pending: the first 20. */
      recipients: {
        address: string
        /** @description The response of the next server, or why it could not be reached; null before the first attempt. */
        reason: string | null
      }[]
      /** @description Empty for a bounce. */
      sender: string
      /** @description Bytes. */
      size: number
    }
    QuotaValue: number | null
    ReadNotification: {
      /** @constant */
      isRead: true
    }
    RecoveryCodes: {
      /** @description Ten codes, shown only once. */
      recoveryCodes: string[]
    }
    Register: {
      confirmPassword: string
      email: components['schemas']['Email']
      name: components['schemas']['Name']
      password: components['schemas']['Password']
      /** @description The part after the # of the setup link. Required for the first account unless you register from the server itself. */
      setupToken?: string
    }
    /** @enum {string} */
    RemedyCode:
      | 'RUN_UP'
      | 'RUN_UP_OR_ASK'
      | 'RUN_UP_OR_CHECK_SERVER'
      | 'RUN_UP_OR_CHECK_SFTP'
      | 'RUN_UP_UNFILTERED'
      | 'RUN_UP_UNLEARNED'
      | 'RUN_UP_UNFORWARDED'
      | 'START_ENGINE'
      | 'CHECK_STORE'
      | 'CHECK_SESSION_STORE'
      | 'INSTALL_GIT'
      | 'MAKE_ROOM_ON_DISK'
      | 'CHECK_NFTABLES'
      | 'CHECK_PROJECTS_DIR'
      | 'TURN_ON_MAIL'
      | 'TURN_ON_SPAM_FILTER'
      | 'TURN_ON_WEBMAIL'
      | 'SET_MAILER'
      | 'ALLOW_HELPER'
      | 'TRY_AGAIN'
      | 'RESTART_WORKER'
    /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
    RemedySentences: {
      code: components['schemas']['RemedyCode']
      values?: {
        [key: string]: string | number | string[]
      }
    }[]
    ReplaceFile: {
      /** @description Written as UTF-8, up to 2 MiB (413). */
      content: string
      /** @description The `etag` you read: returns 409 FILE_CHANGED if the file has changed or was deleted. */
      ifMatch?: string
      path: components['schemas']['ClientPath']
    }
    RequiredRecord: {
      /** @description Whether the last check found it or an equivalent; false before the first check. */
      isFound: boolean
      /** @description Mail works without it. */
      isOptional: boolean
      /** @description Full name. */
      name: string
      /** @description SRV records only. */
      port: number | null
      /** @description MX and SRV records only. */
      priority: number | null
      /** @description Mail host: the address of the mail host name below the domain. Service: lets mail clients find the server (RFC 6186). MTA-STS: announces the TLS policy for servers that send to the domain. TLS-RPT: where they report TLS results. */
      purpose: components['schemas']['MailRecordPurpose']
      ttl: number
      type: components['schemas']['MailRecordType']
      value: string
      /** @description SRV records only. */
      weight: number | null
    }
    ResetPassword: {
      confirmNewPassword: string
      newPassword: components['schemas']['Password']
      token: string
    }
    Restore: {
      backupId: components['schemas']['Id']
      createdAt: components['schemas']['Timestamp']
      /** @description Name of the new database with the restored content. */
      databaseName: string | null
      endedAt: components['schemas']['Timestamp'] | null
      id: components['schemas']['Id']
      kind: components['schemas']['RestoreKind']
      path: string | null
      problem: string | null
      projectId: components['schemas']['Id']
      status: components['schemas']['RestoreStatus']
      /** @description Until then the files from before the restore are kept and can be put back. */
      undoUntil: components['schemas']['Timestamp'] | null
    }
    /** @enum {string} */
    RestoreKind: 'FILES' | 'DATABASE'
    RestoreList: {
      restores: components['schemas']['Restore'][]
    }
    /** @enum {string} */
    RestoreStatus: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'UNDONE'
    RetireDkimKey: {
      /**
       * @description Retire the key although mail signed with it may still be in transit: for a compromised key.
       * @default false
       */
      force?: boolean
    }
    RevealedEnvVar: {
      createdAt: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      key: string
      updatedAt: components['schemas']['Timestamp']
      value: string
    }
    ReverseDnsCheck: {
      /** @description What was found, and what to do. */
      detail: string
      /** @description Names in its PTR records. */
      names: string[]
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['ReverseDnsCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
      /** @description pass: has a PTR record that resolves back to it. unknown: no resolver responded. */
      status: components['schemas']['ReverseDnsStatus']
    }
    /** @enum {string} */
    ReverseDnsCode: 'CONFIRMED' | 'OTHER_NAME' | 'NO_NAME' | 'NOT_BACK' | 'NO_ANSWER'
    /** @enum {string} */
    ReverseDnsStatus: 'pass' | 'fail' | 'unknown'
    /**
     * @description ADMIN: all accounts, the server and its settings; but not the projects, domains and files of other accounts. RESELLER: also manages sub-accounts within its quotas. USER: only its own resources.
     * @enum {string}
     */
    Role: 'ADMIN' | 'RESELLER' | 'USER'
    SaveFirewall: {
      /**
       * @description Accept rules that block SSH from the address of this request.
       * @default false
       */
      allowSshLockout?: boolean
      /** @description What happens to a connection that no rule matches. */
      defaultAction: components['schemas']['FirewallAction']
      enabled: boolean
      /** @description In order: the first rule that matches decides. */
      rules: components['schemas']['FirewallRule'][]
      version: number
    }
    SaveStatusPage: {
      enabled: boolean
      /** @description Number of days to show; default 30. */
      showDays?: number
      /** @description URL path of the page. If there is none yet, one that is hard to guess is generated. */
      slug?: components['schemas']['StatusSlug']
      /** @description Required for the first time. */
      title?: string
    }
    SearchResult: {
      id: components['schemas']['Id']
      /** @description Distinguishes equal names: repository, path, engine or email address. */
      subtitle: string | null
      /** @description Its name: the host name of a domain, the address of a mailbox. */
      title: string
      type: components['schemas']['SearchType']
    }
    SearchResults: {
      /** @description Names that start with the query first, then names with a word that does, then the rest. */
      results: components['schemas']['SearchResult'][]
    }
    /** @enum {string} */
    SearchType: 'project' | 'domain' | 'database' | 'mailbox' | 'user'
    SecondFactor: string
    ServerAddressCheck: {
      address: string
      blocklists: components['schemas']['BlocklistCheck'][]
      reverseDns: components['schemas']['ReverseDnsCheck']
    }
    ServerAddresses: {
      /** @description Of the network interfaces, without loopback and containers. */
      interfaces: {
        address: string
        isPublic: boolean
      }[]
      /** @description PUBLIC_IP, null where it is not set. */
      publicIp: string | null
      /** @description PUBLIC_IPV6, or the first public one of an interface. */
      publicIpv6: string | null
      /** @description What PUBLIC_IP_SERVICE answered; null where it is not set. */
      service: {
        address: string | null
        problem: string | null
        url: string
      } | null
      /** @description The public IPv4 address that was found; null if none. */
      suggestedIp: string | null
    }
    ServerMetrics: {
      cpuCoreCount: number
      cpuPercent: number | null
      /** @description Per online core; null for a core that has just come online. */
      cpuPerCore: (number | null)[]
      diskTotal: number | null
      /** @description Of the file system of DATA_DIR. */
      diskUsed: number | null
      /** @description Over 1, 5 and 15 minutes; empty if unavailable. */
      loadAverage: number[]
      /** @description Bytes since boot on the interfaces of the default routes. */
      networkReceived: number | null
      networkSent: number | null
      ramTotal: number | null
      /** @description Without memory that the kernel can reclaim. */
      ramUsed: number | null
      timestamp: components['schemas']['Timestamp']
      uptimeSeconds: number | null
    }
    ServerSettings: {
      /** @description Git address of a sample application that comes with the panel, to try a deployment. */
      sampleRepository: string | null
      /** @description IANA name of the time zone of scheduled work and reports. */
      timezone: string
      /** @description For an ADMIN: all that the panel reads. */
      variables?: components['schemas']['Setting'][]
    }
    Session: {
      createdAt: components['schemas']['Timestamp']
      /** @description Whether it is the session of this request. */
      current: boolean
      expiresAt: components['schemas']['Timestamp']
      id: components['schemas']['SessionId']
      ip: string | null
      lastSeenAt: components['schemas']['Timestamp']
      userAgent: string | null
    }
    SessionId: string
    SessionList: {
      pagination: components['schemas']['Pagination']
      sessions: components['schemas']['Session'][]
    }
    SessionMove: {
      /** @description To open in the browser within a minute; it works once. */
      url: string
    }
    SetAutoreply: {
      /**
       * @description Start of the auto-reply; null: immediately.
       * @default null
       */
      from?: string | null
      /**
       * @description Null: `Auto:` and the subject of the message being answered.
       * @default null
       */
      subject?: string | null
      text: string
      /**
       * @description End of the auto-reply; null: until removed.
       * @default null
       */
      until?: string | null
    }
    SetDnssec: {
      enabled: boolean
      /**
       * @description Disable signing although the parent zone still has a DS record: validating resolvers will not resolve the domain.
       * @default false
       */
      force?: boolean
    }
    SetEnvVars:
      | {
          variables: {
            key: components['schemas']['EnvKey']
            /** @description Whether to mask the value in build and deployment logs, in any encoding. True for a new variable; an existing one keeps its setting. Short values, single words, numbers and host addresses are never masked. */
            sensitive?: boolean
            value: components['schemas']['EnvValue']
          }[]
        }
      | {
          key: components['schemas']['EnvKey']
          /** @description Whether to mask the value in build and deployment logs, in any encoding. True for a new variable; an existing one keeps its setting. Short values, single words, numbers and host addresses are never masked. */
          sensitive?: boolean
          value: components['schemas']['EnvValue']
        }
    Setting: {
      about: string
      /** @description When a change takes effect, unless immediately. */
      counts: string | null
      /** @description The same as a code. */
      countsFrom: components['schemas']['SettingCountsFrom'] | null
      /** @description Why it cannot be changed here. */
      fixedBy: string | null
      /** @description The same as a code. */
      fixedReason: components['schemas']['SettingFixedReason'] | null
      /** @description The page of the settings that it is on. */
      group: components['schemas']['SettingGroup']
      /** @description Why the value that was changed here is not in effect. */
      ignored: string | null
      /** @description Whether it can be changed here. */
      isChangeable: boolean
      isSecret: boolean
      /** @description Whether it differs from the default. All that is shown of a secret. */
      isSet: boolean
      /** @description The environment variable, as in docs/settings.md. */
      name: string
      /** @description Where the value comes from, by priority: the environment, a change here, `DATA_DIR/panel.env`, the default. */
      source: components['schemas']['SettingSource']
      /** @description The value without a change here. */
      startValue: string | null
      title: string
      unit: string | null
      /** @description The value in effect, as it is written; null where it is not set, and always for secrets. */
      value: string | null
    }
    /** @enum {string} */
    SettingCountsFrom: 'deployment' | 'build' | 'round' | 'signIn' | 'password' | 'importBegun' | 'buildBegun'
    /** @enum {string} */
    SettingFixedReason: 'environment' | 'listens' | 'place' | 'secret' | 'program' | 'trust' | 'process'
    /** @enum {string} */
    SettingGroup:
      | 'names'
      | 'accounts'
      | 'dns'
      | 'certificates'
      | 'mail'
      | 'containers'
      | 'builds'
      | 'files'
      | 'monitoring'
      | 'retention'
      | 'server'
    /** @enum {string} */
    SettingSource: 'default' | 'file' | 'environment' | 'changed'
    SftpCredentials: {
      host: string
      /** @description Fingerprints (SHA256:…) to verify on the first connection; empty while SFTP is unavailable. */
      hostKeys: string[]
      isEnabled: boolean
      password: string
      port: number
      username: string
    }
    SftpUser: {
      createdAt: components['schemas']['Timestamp']
      /** @description Host name of the server: `sftp -P <port> <linuxUsername>@<host>`. */
      host: string
      id: components['schemas']['Id']
      isEnabled: boolean
      linuxUsername: string
      port: number
      sshPublicKeys: string[]
      updatedAt: components['schemas']['Timestamp']
      userId: components['schemas']['Id']
    }
    ShellLine: string
    SkippedVariable: {
      line: number
      /** @description Continues a sentence: `line 3 is not in the form KEY=value`. */
      reason: string
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['SkippedVariableCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
    }
    /** @enum {string} */
    SkippedVariableCode: 'NO_VARIABLE' | 'OPEN_QUOTE' | 'THERE_ALREADY'
    /** @enum {string} */
    SpamFilterStatus: 'running' | 'stopped' | 'off'
    /** @enum {string} */
    SpamFilterSwitch: 'on' | 'off'
    SpamSettings: {
      /** @description Senders whose mail is never spam: addresses, or domains including subdomains. Does not apply to mail that the sender’s own domain marks as forged (SPF, DMARC). */
      allow: string[]
      /** @description Senders whose mail is rejected. Takes precedence over `allow`. */
      deny: string[]
      domain: string
      domainId: components['schemas']['Id']
      /** @description Whether mail to the domain is filtered. */
      enabled: boolean
      /** @description Whether the panel has a spam filter at all (MAIL_SPAM_FILTER). GET /api/mail/status says whether it is running. */
      filter: components['schemas']['SpamFilterSwitch']
      /** @description Whether slightly suspicious messages are deferred and accepted when the sender retries a few minutes later. */
      greylisting: boolean
      /** @description Messages with at least this score go to Junk. */
      junkScore: number
      /** @description Messages with at least this score are rejected during delivery; the sender is told. */
      refuseScore: number
    }
    SshKey: {
      publicKey: string
    }
    StartBackup: {
      /** @description Default: every target. */
      targetId?: components['schemas']['Id']
    }
    StartedBackups: {
      /** @description Backups that were queued. */
      queued: number
    }
    StartRestore:
      | {
          /** @constant */
          kind: 'FILES'
          /**
           * @description A file or directory of the backup. Default: all files of the project.
           * @default
           */
          path?: string
        }
      | {
          /** @description One of the `databases` of the backup. It is loaded into a new database beside the present one. */
          databaseId: components['schemas']['Id']
          /** @constant */
          kind: 'DATABASE'
        }
    StatusPage: {
      createdAt: components['schemas']['Timestamp']
      enabled: boolean
      projectId: components['schemas']['Id']
      showDays: number
      slug: string
      title: string
      updatedAt: components['schemas']['Timestamp']
      /** @description URL of the public page. */
      url: string
    }
    StatusSlug: string
    TakeSession: {
      /** @description The part after # of the address. */
      token: string
    }
    /** @enum {string} */
    Theme: 'light' | 'dark' | 'system'
    /** Format: date-time */
    Timestamp: string
    /**
     * @description read: every GET except those that return secrets, file downloads and exports, or start work (such as listing changes from a repository). deploy: also builds, deployments, rollbacks and container actions, without a custom build command and without `remove`. full: everything the account may do, except managing tokens, sessions, passwords and two-factor.
     * @enum {string}
     */
    TokenScope: 'read' | 'deploy' | 'full'
    Traffic: {
      /** @description In chronological order; points without requests are omitted. */
      points: components['schemas']['TrafficPoint'][]
      range: components['schemas']['MetricRange']
      /** @description Duration of a point. */
      stepSeconds: number
      total: {
        /** @description Bytes from clients, including request headers. */
        bytesIn: number
        /** @description Bytes to clients, including response headers. */
        bytesOut: number
        /** @description Responses with status 400 to 499. */
        clientErrors: number
        /** @description Server errors divided by requests, 0 to 1; null without requests. */
        errorShare: number | null
        /** @description Median time to first byte; overestimates by up to 19%. */
        p50Ms: number | null
        /** @description 95th percentile of the time to first byte; overestimates by up to 19%. */
        p95Ms: number | null
        requests: number
        /** @description Responses with status 500 to 599, from the site or from the proxy on its behalf. */
        serverErrors: number
      }
    }
    TrafficPoint: {
      /** @description Start of the point. */
      at: components['schemas']['Timestamp']
      /** @description Bytes from clients, including request headers. */
      bytesIn: number
      /** @description Bytes to clients, including response headers. */
      bytesOut: number
      /** @description Responses with status 400 to 499. */
      clientErrors: number
      /** @description Server errors divided by requests, 0 to 1; null without requests. */
      errorShare: number | null
      /** @description Median time to first byte; overestimates by up to 19%. */
      p50Ms: number | null
      /** @description 95th percentile of the time to first byte; overestimates by up to 19%. */
      p95Ms: number | null
      requests: number
      /** @description Responses with status 500 to 599, from the site or from the proxy on its behalf. */
      serverErrors: number
    }
    TwoFactorChallenge: {
      challengeToken: string
      code: components['schemas']['SecondFactor']
    }
    TwoFactorSetup: {
      manualKey: string
      otpauthUrl: string
      qrDataUrl: string
    }
    UnreadCount: {
      unread: number
    }
    UpdateDatabase: {
      autoInjectEnv?: boolean
      projectId?: components['schemas']['Id'] | null
    }
    UpdateDnsRecord: {
      /** @description Relative to the domain: `@`, `www`, `*.dev`; up to 32 labels. A name that ends with the domain itself works too. */
      name?: string
      /** @description Required for SRV, 1 to 65535. */
      port?: number | null
      /** @description Required for MX, SRV, SVCB and HTTPS. 0 makes SVCB and HTTPS an alias. */
      priority?: number | null
      /** @description Seconds. All records of one name and type share it: a change applies to all of them (RFC 2181 §5.2). */
      ttl?: number
      /** @description By type, in the form of zone files but for names, which have no dot at the end (one label alone is taken as relative to the domain, `@` is the domain): A: an IPv4 address; AAAA: an IPv6 address; CNAME: a host name; MX: a host name, or `.` for no mail; TXT: the plain text; quoted and split automatically; NS: a host name; SRV: a host name, or `.` for no service; CAA: `0 issue "ca.example.net"`; PTR: a host name; SSHFP: algorithm, type and fingerprint: `4 2 <64 hexadecimal digits>`; TLSA: usage, selector, matching type and data: `3 1 1 <64 hexadecimal digits>`; SVCB: a host name or `.`, then parameters where the priority is not 0: `svc.example.net alpn=h2 port=8443`; HTTPS: like SVCB: `. alpn=h2,h3 ipv4hint=192.0.2.1`; NAPTR: order, preference, flags, services, regular expression and replacement: `100 10 "S" "SIP+D2U" "" _sip._udp.example.net`. */
      value?: string
      /** @description Required for SRV. */
      weight?: number | null
    }
    UpdateDomain: {
      pathPrefix?: components['schemas']['PathPrefix'] | null
      projectId?: components['schemas']['Id'] | null
    }
    UpdateMailAlias: {
      /** @description Full addresses, on this server or anywhere else. */
      targets: string[]
    }
    UpdateMailbox: {
      enabled?: boolean
      password?: components['schemas']['MailboxPassword']
      quota?: components['schemas']['MailboxQuota']
    }
    UpdatePreferences: {
      /** @description BCP 47 language tag, such as `de` or `pt-BR`. */
      locale?: string | null
      theme?: components['schemas']['Theme'] | null
      /** @description IANA time zone name, case-insensitive. */
      timezone?: string | null
    }
    UpdateProject: {
      branch?: components['schemas']['Branch'] | null
      buildCmd?: components['schemas']['ShellLine'] | null
      gitUrl?: components['schemas']['GitUrl'] | null
      name?: components['schemas']['ProjectName']
      port?: number | null
      /** @description true: the root file system of the container is read-only from the next deployment on. Default false: the application can write to its own directory and to HOME, but loses that with the next deployment; store persistent data below /data. STATIC sites and WORDPRESS are always read-only. */
      readOnlyRoot?: boolean
      startCmd?: components['schemas']['ShellLine'] | null
    }
    UpdateSpamSettings: {
      /** @description Replaces the whole list. */
      allow?: string[]
      /** @description Replaces the whole list. */
      deny?: string[]
      /** @description Whether mail to the domain is filtered. */
      enabled?: boolean
      /** @description Whether slightly suspicious messages are deferred and accepted when the sender retries a few minutes later. */
      greylisting?: boolean
      /** @description Messages with at least this score go to Junk. */
      junkScore?: number
      /** @description Messages with at least this score are rejected during delivery; the sender is told. */
      refuseScore?: number
    }
    UpdateUptimeCheck: {
      /** @description Expected status codes. Redirects are not followed: their own code counts. */
      expectedStatus?: string
      /** @description The automatic host name of the project, a verified domain that points to it, or a name one label below such a wildcard; not a wildcard itself. */
      hostname?: string
      intervalMinutes?: number
      method?: components['schemas']['UptimeMethod']
      /** @description Display name, also on a public status page. */
      name?: string
      /** @description Whether to show the check on the public status page of the project. */
      onStatusPage?: boolean
      /** @description Path with query, percent-encoded. */
      path?: string
      paused?: boolean
      protocol?: components['schemas']['UptimeProtocol']
      /** @description Number of failed runs to tolerate. The check is DOWN if `retries + 1` of the last `2 × retries + 1` runs failed, including the latest; while this is undecided, it runs every 30 seconds. It is UP again after two successful runs in a row (one if retries is 0). */
      retries?: number
      text?: string | null
      /** @description Whether the text must be present or absent. */
      textMode?: components['schemas']['UptimeTextMode']
      timeoutSeconds?: number
    }
    UpdateUser: {
      email?: components['schemas']['Email']
      name?: components['schemas']['Name']
    }
    UploadCertificate: {
      /** @description PEM, with the chain after the certificate. */
      certificate: string
      /** @description PEM, unencrypted. */
      privateKey: string
    }
    UploadForm: {
      /**
       * Format: binary
       * @description With a file name, of which only the part after the last slash or backslash counts. Replaces an existing file with that name.
       */
      file: string
      /**
       * @description Target directory.
       * @default
       */
      path?: components['schemas']['ClientPath']
    }
    UptimeCheck: {
      createdAt: components['schemas']['Timestamp']
      /** @description Expected status codes. Redirects are not followed: their own code counts. */
      expectedStatus: string
      hostname: string
      id: components['schemas']['Id']
      intervalMinutes: number
      lastMs: number | null
      /** @description Why the last run did not pass. */
      lastReason: components['schemas']['UptimeReason'] | null
      lastRunAt: components['schemas']['Timestamp'] | null
      /** @description HTTP status of the last run. */
      lastStatus: number | null
      method: components['schemas']['UptimeMethod']
      /** @description Display name, also on a public status page. */
      name: string
      /** @description Whether to show the check on the public status page of the project. */
      onStatusPage: boolean
      path: string
      paused: boolean
      pausedBecause: components['schemas']['UptimePause'] | null
      projectId: components['schemas']['Id']
      protocol: components['schemas']['UptimeProtocol']
      /** @description Number of failed runs to tolerate. The check is DOWN if `retries + 1` of the last `2 × retries + 1` runs failed, including the latest; while this is undecided, it runs every 30 seconds. It is UP again after two successful runs in a row (one if retries is 0). */
      retries: number
      /** @description UNKNOWN: not run yet, or the last runs were inconclusive or long ago. */
      state: components['schemas']['UptimeState']
      stateSince: components['schemas']['Timestamp']
      text: string | null
      /** @description Whether the text must be present or absent. */
      textMode: components['schemas']['UptimeTextMode']
      timeoutSeconds: number
      /** @description Days until the certificate seen by the last run expires. */
      tlsDaysLeft: number | null
      updatedAt: components['schemas']['Timestamp']
      uptime: components['schemas']['UptimeFigures']
    }
    UptimeCheckList: {
      pagination: components['schemas']['Pagination']
      summary: {
        down: number
        paused: number
        /** @description The worst state of the checks that are not paused. */
        state: components['schemas']['UptimeState']
        unknown: number
        up: number
      }
      uptimeChecks: components['schemas']['UptimeCheck'][]
    }
    UptimeFigures: {
      /** @description Percentage of the known time; null if none is known. */
      '7d': number | null
      /** @description Percentage of the known time; null if none is known. */
      '24h': number | null
      /** @description Percentage of the known time; null if none is known. */
      '30d': number | null
      /** @description Percentage of the known time; null if none is known. */
      '90d': number | null
    }
    UptimeIncident: {
      /** @description Time of the first failed run. */
      from: components['schemas']['Timestamp']
      id: components['schemas']['Id']
      reason: components['schemas']['UptimeReason']
      seconds: number
      status: number | null
      to: components['schemas']['Timestamp'] | null
    }
    UptimeIncidentList: {
      incidents: components['schemas']['UptimeIncident'][]
      pagination: components['schemas']['Pagination']
    }
    /** @enum {string} */
    UptimeMethod: 'GET' | 'HEAD'
    /** @enum {string} */
    UptimeOutcome: 'up' | 'down' | 'unknown'
    /** @enum {string} */
    UptimePause: 'OWNER' | 'PROJECT_STOPPED' | 'NOT_DEPLOYED' | 'ACCOUNT_SUSPENDED' | 'HOST_NOT_OWN'
    /** @enum {string} */
    UptimeProtocol: 'http' | 'https'
    /** @enum {string} */
    UptimeRange: '24h' | '7d' | '30d' | '90d'
    /** @enum {string} */
    UptimeReason:
      | 'CONNECTION_LOST'
      | 'TIMEOUT'
      | 'STATUS'
      | 'TEXT_MISSING'
      | 'TEXT_PRESENT'
      | 'TLS_NAME'
      | 'TLS_EXPIRED'
      | 'TLS_FAILED'
      | 'PROXY_AWAY'
      | 'CHECKER_DELAYED'
    UptimeResults: {
      checkId: components['schemas']['Id']
      downSeconds: number
      /** @description Latest kept runs, newest first, up to 100. */
      latest: {
        at: components['schemas']['Timestamp']
        ms: number | null
        outcome: components['schemas']['UptimeOutcome']
        reason: components['schemas']['UptimeReason'] | null
        status: number | null
        tlsDaysLeft: number | null
      }[]
      /** @description Per hour for 24h and 7d, else per day, in UTC. */
      points: {
        /** @description Mean of the runs that got a response. */
        averageMs: number | null
        downSeconds: number
        from: components['schemas']['Timestamp']
        maxMs: number | null
        upSeconds: number
        /** @description Percentage of the known time; null if none is known. */
        uptime: number | null
      }[]
      range: components['schemas']['UptimeRange']
      /** @description Seconds since the check was created in which it was paused, or the panel or its proxy was down. Not counted in `uptime`. */
      unknownSeconds: number
      upSeconds: number
      /** @description Percentage of the known time; null if none is known. */
      uptime: number | null
    }
    /**
     * @description UNKNOWN: not run yet, or inconclusive. UP. DOWN: more runs failed than `retries` allows. PAUSED.
     * @enum {string}
     */
    UptimeState: 'UNKNOWN' | 'UP' | 'DOWN' | 'PAUSED'
    /** @enum {string} */
    UptimeTextMode: 'present' | 'absent'
    UsageSummary: {
      oversellingEnabled: boolean
      resources: {
        maxDatabases: {
          limit: number | null
          /** @description RESELLER only: sum of the limits of its sub-accounts; null if one is unlimited. */
          nominalSum?: number | null
          /** @description RESELLER only: whether that sum exceeds its own limit. */
          oversold?: boolean
          /** @description RESELLER only: actual usage of the account and its sub-accounts. */
          pooledUsed?: number
          used: number
        }
        maxDomains: {
          limit: number | null
          /** @description RESELLER only: sum of the limits of its sub-accounts; null if one is unlimited. */
          nominalSum?: number | null
          /** @description RESELLER only: whether that sum exceeds its own limit. */
          oversold?: boolean
          /** @description RESELLER only: actual usage of the account and its sub-accounts. */
          pooledUsed?: number
          used: number
        }
        maxMailboxes: {
          limit: number | null
          /** @description RESELLER only: sum of the limits of its sub-accounts; null if one is unlimited. */
          nominalSum?: number | null
          /** @description RESELLER only: whether that sum exceeds its own limit. */
          oversold?: boolean
          /** @description RESELLER only: actual usage of the account and its sub-accounts. */
          pooledUsed?: number
          used: number
        }
        maxProjects: {
          limit: number | null
          /** @description RESELLER only: sum of the limits of its sub-accounts; null if one is unlimited. */
          nominalSum?: number | null
          /** @description RESELLER only: whether that sum exceeds its own limit. */
          oversold?: boolean
          /** @description RESELLER only: actual usage of the account and its sub-accounts. */
          pooledUsed?: number
          used: number
        }
        maxSubAccounts: {
          limit: number | null
          used: number
        }
      }
    }
    User: {
      createdAt: components['schemas']['Timestamp']
      email: string
      id: components['schemas']['Id']
      /** @description Language tag, such as `de-AT`; null: the browser’s language. */
      locale: string | null
      maxDatabases: number | null
      /** @description Disk limit in MiB; GET /api/users/:id/disk returns the usage. */
      maxDiskMb: number | null
      maxDomains: number | null
      maxMailboxes: number | null
      maxProjects: number | null
      maxSubAccounts: number | null
      name: string
      oversellingEnabled: boolean
      /** @description The account that created it; null at the top. */
      parentId: components['schemas']['Id'] | null
      permissions: components['schemas']['Permission'][]
      role: components['schemas']['Role']
      /** @description A suspended account cannot sign in; its sites are stopped. */
      suspended: boolean
      theme: components['schemas']['Theme'] | null
      /** @description IANA name; null: the server’s time zone. */
      timezone: string | null
      totpEnabled: boolean
      updatedAt: components['schemas']['Timestamp']
    }
    UserList: {
      pagination: components['schemas']['Pagination']
      users: components['schemas']['ListedUser'][]
    }
    /** @enum {string} */
    UserOrder: 'created' | 'disk'
    /** @enum {string} */
    VerificationCode:
      | 'VERIFIED'
      | 'VERIFIED_BEFORE'
      | 'VERIFIED_ABOVE'
      | 'TRAFFIC_HERE'
      | 'TRAFFIC_NOWHERE'
      | 'TRAFFIC_ELSEWHERE'
      | 'TOKEN_ALONE'
      | 'MORE_THAN_VALUE'
      | 'OTHER_VERIFICATION'
      | 'OTHER_VALUE'
      | 'RESOLVERS_DISAGREE'
      | 'NO_TXT_AT_NAME'
      | 'NO_TXT'
      | 'WAIT_AND_VERIFY'
      | 'SERVERS_SILENT'
      | 'NO_ANSWER'
      | 'NONE_ASKED'
    VerificationInstructions: {
      /** @description `_panel-challenge.<hostname>`; for a wildcard, that of its parent. */
      recordName: string
      /** @constant */
      recordType: 'TXT'
      /** @description `panel-verification=<token>`. */
      recordValue: string
      routingRecord: {
        publicIp: string
        recordName: string
        /** @constant */
        recordType: 'A'
      }
    }
    VerifyResult: {
      detectedRecords: components['schemas']['DetectedRecord'][]
      expectedRecord: {
        recordName: string
        /** @constant */
        recordType: 'TXT'
        recordValue: string
      } | null
      /** @description If not verified: what to change. */
      message: string
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['VerificationCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
      status: components['schemas']['DomainStatus']
      verified: boolean
    }
    VerifyTwoFactorSetup: {
      code: string
    }
    WebhookSecret: {
      webhookSecret: string
    }
    WebmailActivity: {
      /** @constant */
      code?: 'SQLITE_QUERY_ERROR'
      /** @description Why the logins could not be read. */
      error?: string
      /** @description Mailboxes that were logged in to with webmail, latest first. */
      logins: {
        /** Format: date-time */
        lastLogin: string
        mailbox: string
        mailboxId: string
      }[]
    }
    WebmailLink: {
      /**
       * Format: uri
       * @description Opens webmail with the address filled in; it asks for the password.
       */
      url: string
    }
    WordpressImport: {
      createdAt: components['schemas']['Timestamp']
      /** @description The deployment of the imported site. */
      deploymentId: components['schemas']['Id'] | null
      errorCode: components['schemas']['ErrorCode'] | null
      /** @description Why it failed. */
      errorMessage: string | null
      errorSentences: components['schemas']['WordpressProblem']
      /** @description Files unpacked so far. */
      files: number
      id: components['schemas']['Id']
      /** @description Parts of the dump that were not imported (triggers, views, routines) or not changed (texts that PHP cannot read). */
      notes: string[]
      noteSentences: components['schemas']['WordpressNotes']
      projectId: components['schemas']['Id']
      /** @description The previous address of the site; null if there was none to replace. */
      replacedAddress: string | null
      status: components['schemas']['ImportStatus']
      step: components['schemas']['ImportStep']
      /** @description Tables that the dump created. */
      tables: number
      updatedAt: components['schemas']['Timestamp']
    }
    /** @enum {string} */
    WordpressNoteCode:
      | 'TRIGGER'
      | 'TRIGGERS'
      | 'VIEW'
      | 'VIEWS'
      | 'EVENT'
      | 'EVENTS'
      | 'ROUTINE'
      | 'ROUTINES'
      | 'MALFORMED_TEXTS'
      | 'LARGE_ROWS'
    /** @description The codes of `notes`, one for each, in the same order. Empty if the notes have no codes. */
    WordpressNotes: {
      code: components['schemas']['WordpressNoteCode']
      values?: {
        [key: string]: string | number | string[]
      }
    }[]
    /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
    WordpressProblem: {
      code: components['schemas']['WordpressProblemCode']
      values?: {
        [key: string]: string | number | string[]
      }
    }[]
    /** @enum {string} */
    WordpressProblemCode:
      | 'IMPORT_BROKE'
      | 'IMPORT_INTERRUPTED'
      | 'IMPORT_NOT_KEPT'
      | 'UPLOAD_CUT_OFF'
      | 'UPLOAD_TOO_SLOW'
      | 'UPLOAD_TOO_LARGE'
      | 'UPLOAD_NOT_WHOLE'
      | 'PROJECT_GONE'
      | 'DATABASE_GONE'
      | 'DATABASE_GONE_MEANWHILE'
      | 'DATABASE_LINKED_MEANWHILE'
      | 'DATABASE_OF_OTHER_PROJECT'
      | 'DATABASE_NOT_YOURS'
      | 'DATABASE_IMMOVABLE'
      | 'VARIABLES_BY_HAND'
      | 'NO_SITE_IN_ARCHIVE'
      | 'SEVERAL_SITES'
      | 'ARCHIVE_UNREADABLE'
      | 'ARCHIVE_TOO_LARGE'
      | 'ARCHIVE_OF_TOO_MANY'
      | 'NO_DUMP'
      | 'TOO_MANY_DUMPS'
      | 'NO_DUMP_OF_SITE'
      | 'SEVERAL_DUMPS_OF_SITE'
      | 'DUMPS_TOO_LARGE'
      | 'DUMP_NOT_PACKED_WELL'
      | 'DUMP_ENDS_INSIDE'
      | 'DUMP_MIXED_STATEMENT'
      | 'DUMP_BACKSLASH'
      | 'DUMP_COMMENT_ENDS'
      | 'DUMP_LONG_WORD'
      | 'DUMP_LONG_STATEMENT'
      | 'DUMP_PLACE_ON_DISK'
      | 'DUMP_SETTING'
      | 'DUMP_STATEMENT'
      | 'DUMP_TEMPORARY_TABLE'
      | 'DUMP_SEVERAL_DATABASES'
      | 'DUMP_REFUSED'
      | 'DUMP_NOT_LOADED'
      | 'DUMP_MADE_PROGRAMS'
      | 'DATABASE_SERVER_REFUSED'
      | 'DATABASE_SERVER_CLOSED'
      | 'NO_TABLES_OF_SITE'
      | 'NETWORK_OF_SITES'
      | 'TABLES_OF_SEVERAL_SITES'
      | 'TABLE_PREFIX'
    WriteFile: {
      /** @description Written as UTF-8, up to 2 MiB (413). */
      content: string
      path: components['schemas']['ClientPath']
    }
    WrittenFile: {
      /** @description Identifies the content: equal content has an equal tag. */
      etag: string
      /** @description Lower case, without the dot; empty if none. */
      extension: string
      /** @description Permission bits as four octal digits. */
      mode: string
      mtime: components['schemas']['Timestamp']
      name: string
      /** @description Relative to the project root, without a leading slash. */
      path: string
      size: number
      /** @description A symbolic link has the type of its target inside the project. */
      type: components['schemas']['FileType']
    }
    /** @enum {string} */
    ZoneImportStrategy: 'skip' | 'replace'
    ZoneLine: {
      line: number
      reason: string
      /** @description The message in machine-readable form, for programs and translations: one code per sentence, with its `values`. List values show up to eight entries. Empty if the message has no codes. */
      sentences: {
        code: components['schemas']['ZoneLineCode']
        values?: {
          [key: string]: string | number | string[]
        }
      }[]
    }
    /** @enum {string} */
    ZoneLineCode:
      | 'SAME_RECORD'
      | 'THERE_ALREADY'
      | 'DEFAULT_THERE'
      | 'APEX_SERVERS'
      | 'DNSSEC_RECORDS'
      | 'NOT_IN_ZONE'
      | 'CNAME_AT_APEX'
      | 'CNAME_NOT_ALONE'
      | 'CNAME_THERE'
      | 'OWN_NAME_SERVER'
      | 'DELEGATION_NOT_ALONE'
      | 'BELOW_DELEGATION'
      | 'ABOVE_RECORDS'
      | 'NO_MAIL_ALONE'
      | 'ALIAS_ALONE'
      | 'SET_TOO_LARGE'
      | 'ZONE_OF_TOO_MANY'
      | 'ZONE_TOO_LARGE'
      | 'TYPE_NOT_SUPPORTED'
      | 'OTHER_COUNT'
      | 'INVALID'
      | 'TOO_MANY_RECORDS'
      | 'AND_MORE'
      | 'NAME_MISSING'
      | 'NAME_INVALID'
      | 'NAME_TOO_LONG'
      | 'NAME_ELSEWHERE'
      | 'ESCAPE_INVALID'
      | 'DIRECTIVE_NOT_SUPPORTED'
      | 'DIRECTIVE_VALUE'
      | 'TTL_INVALID'
      | 'TTL_TOO_LARGE'
      | 'VALUE_MISSING'
      | 'UNKNOWN_FORM'
      | 'OTHER_CLASS'
      | 'NO_TYPE_THERE'
      | 'TYPE_MISSING'
      | 'BRACKET_CLOSES'
      | 'BRACKET_OPEN'
      | 'QUOTE_OPEN'
      | 'TOO_MANY_FIELDS'
  }
  responses: {
    /**
     * @description `BUSY`: The server is busy with others just now; try again in a moment.
     *
     *     `DNS_SERVER_UNAVAILABLE`: The name server does not answer.
     *
     *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
     *
     *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
     */
    BusyOrDnsServerUnavailableOrStoreUnavailableOrWorkerUnavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'BUSY' | 'DNS_SERVER_UNAVAILABLE' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE'
        }
      }
    }
    /**
     * @description `BUSY`: The server is busy with others just now; try again in a moment.
     *
     *     `MAIL_UNAVAILABLE`: The mail server is not responding.
     *
     *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
     *
     *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
     */
    BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'BUSY' | 'MAIL_UNAVAILABLE' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE'
        }
      }
    }
    /**
     * @description `BUSY`: The server is busy with others just now; try again in a moment.
     *
     *     `REVERSE_PROXY_UNAVAILABLE`: The reverse proxy does not answer.
     *
     *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
     *
     *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
     */
    BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'BUSY' | 'REVERSE_PROXY_UNAVAILABLE' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE'
        }
      }
    }
    /**
     * @description `BUSY`: The server is busy with others just now; try again in a moment.
     *
     *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
     *
     *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
     */
    BusyOrStoreUnavailableOrWorkerUnavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'BUSY' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE'
        }
      }
    }
    /**
     * @description `BUSY`: The server is busy with others just now; try again in a moment.
     *
     *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
     *
     *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
     *
     *     `FILES_UNAVAILABLE`: The files of the projects cannot be reached just now.
     */
    BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'BUSY' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE' | 'FILES_UNAVAILABLE'
        }
      }
    }
    /**
     * @description `BUSY`: The server is busy with others just now; try again in a moment.
     *
     *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
     *
     *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
     *
     *     `FIREWALL_UNAVAILABLE`: The packet filter of the server cannot be changed.
     */
    BusyOrStoreUnavailableOrWorkerUnavailableOrFirewallUnavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'BUSY' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE' | 'FIREWALL_UNAVAILABLE'
        }
      }
    }
    /**
     * @description `BUSY`: The server is busy with others just now; try again in a moment.
     *
     *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
     *
     *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
     *
     *     `SFTP_UNAVAILABLE`: The SFTP server is not there.
     */
    BusyOrStoreUnavailableOrWorkerUnavailableOrSftpUnavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'BUSY' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE' | 'SFTP_UNAVAILABLE'
        }
      }
    }
    /** @description `CONFLICT`: Something else of yours is under way; wait for it to finish. */
    Conflict: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'CONFLICT'
        }
      }
    }
    /**
     * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
     *
     *     `DNS_NOT_MANAGED`: The DNS of this domain is managed elsewhere.
     */
    ConflictOrDnsNotManaged: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'CONFLICT' | 'DNS_NOT_MANAGED'
        }
      }
    }
    /**
     * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
     *
     *     `DNS_NOT_MANAGED`: The DNS of this domain is managed elsewhere.
     *
     *     `DNS_RECORD_EXISTS`: The zone has this record already.
     *
     *     `DNS_RECORD_CONFLICT`: The record conflicts with another one in the zone.
     *
     *     `DNS_RECORD_LIMIT`: The zone has as many records as it may have.
     */
    ConflictOrDnsNotManagedOrDnsRecordExistsOrDnsRecordConflictOrDnsRecordLimit: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'CONFLICT' | 'DNS_NOT_MANAGED' | 'DNS_RECORD_EXISTS' | 'DNS_RECORD_CONFLICT' | 'DNS_RECORD_LIMIT'
        }
      }
    }
    /**
     * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
     *
     *     `DOMAIN_NOT_ACTIVE`: Verify the domain first.
     *
     *     `DNS_RECORD_LIMIT`: The zone has as many records as it may have.
     */
    ConflictOrDomainNotActiveOrDnsRecordLimit: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'CONFLICT' | 'DOMAIN_NOT_ACTIVE' | 'DNS_RECORD_LIMIT'
        }
      }
    }
    /**
     * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
     *
     *     `NOT_A_DIRECTORY`: There is no directory at this path but something else.
     */
    ConflictOrNotADirectory: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'CONFLICT' | 'NOT_A_DIRECTORY'
        }
      }
    }
    /** @description `DISK_FULL`: There is not enough room on the disk of the server; an administrator must make some. */
    DiskFull: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'DISK_FULL'
        }
      }
    }
    /** @description `EMAIL_EXISTS`: There is an account with this e-mail address. */
    EmailExists: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'EMAIL_EXISTS'
        }
      }
    }
    /**
     * @description `FILE_ALREADY_EXISTS`: Something is at this path already.
     *
     *     `NOT_A_DIRECTORY`: There is no directory at this path but something else.
     */
    FileAlreadyExistsOrNotADirectory: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'FILE_ALREADY_EXISTS' | 'NOT_A_DIRECTORY'
        }
      }
    }
    /**
     * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
     *
     *     `ACCOUNT_SUSPENDED`: This account is suspended.
     */
    ForbiddenOrAccountSuspended: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'FORBIDDEN' | 'ACCOUNT_SUSPENDED'
        }
      }
    }
    /**
     * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
     *
     *     `ACCOUNT_SUSPENDED`: This account is suspended.
     *
     *     `FRESH_AUTH_REQUIRED`: Show your password again first (POST /api/auth/confirm).
     */
    ForbiddenOrAccountSuspendedOrFreshAuthRequired: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'FORBIDDEN' | 'ACCOUNT_SUSPENDED' | 'FRESH_AUTH_REQUIRED'
        }
      }
    }
    /**
     * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
     *
     *     `ACCOUNT_SUSPENDED`: This account is suspended.
     *
     *     `PATH_FORBIDDEN`: The path leads out of the project.
     */
    ForbiddenOrAccountSuspendedOrPathForbidden: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'FORBIDDEN' | 'ACCOUNT_SUSPENDED' | 'PATH_FORBIDDEN'
        }
      }
    }
    /**
     * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
     *
     *     `ACCOUNT_SUSPENDED`: This account is suspended.
     *
     *     `PATH_FORBIDDEN`: The path leads out of the project.
     *
     *     `PATH_PROTECTED`: The file manager does not touch this file.
     */
    ForbiddenOrAccountSuspendedOrPathForbiddenOrPathProtected: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'FORBIDDEN' | 'ACCOUNT_SUSPENDED' | 'PATH_FORBIDDEN' | 'PATH_PROTECTED'
        }
      }
    }
    /**
     * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
     *
     *     `ACCOUNT_SUSPENDED`: This account is suspended.
     *
     *     `QUOTA_EXCEEDED`: The account has as many of these as it may have.
     */
    ForbiddenOrAccountSuspendedOrQuotaExceeded: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'FORBIDDEN' | 'ACCOUNT_SUSPENDED' | 'QUOTA_EXCEEDED'
        }
      }
    }
    /**
     * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
     *
     *     `ACCOUNT_SUSPENDED`: This account is suspended.
     *
     *     `QUOTA_EXCEEDED`: The account has as many of these as it may have.
     *
     *     `PATH_FORBIDDEN`: The path leads out of the project.
     *
     *     `PATH_PROTECTED`: The file manager does not touch this file.
     */
    ForbiddenOrAccountSuspendedOrQuotaExceededOrPathForbiddenOrPathProtected: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'FORBIDDEN' | 'ACCOUNT_SUSPENDED' | 'QUOTA_EXCEEDED' | 'PATH_FORBIDDEN' | 'PATH_PROTECTED'
        }
      }
    }
    /**
     * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
     *
     *     `FORBIDDEN_ROLE`: Your account may not do this; ask an administrator.
     *
     *     `ACCOUNT_SUSPENDED`: This account is suspended.
     */
    ForbiddenOrForbiddenRoleOrAccountSuspended: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'FORBIDDEN' | 'FORBIDDEN_ROLE' | 'ACCOUNT_SUSPENDED'
        }
      }
    }
    /**
     * @description `GIT_URL_UNSUPPORTED`: Repositories of this address are not supported.
     *
     *     `GIT_UNREACHABLE`: The repository cannot be reached.
     */
    GitUrlUnsupportedOrGitUnreachable: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'GIT_URL_UNSUPPORTED' | 'GIT_UNREACHABLE'
        }
      }
    }
    /** @description `INTERNAL`: Internal error. */
    Internal: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'INTERNAL'
        }
      }
    }
    /**
     * @description `NETWORKS_EXHAUSTED`: No network is left; an administrator must widen the pools.
     *
     *     `BUSY`: The server is busy with others just now; try again in a moment.
     *
     *     `CONTAINER_ENGINE_UNAVAILABLE`: The container engine is not responding.
     *
     *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
     *
     *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
     *
     *     `DATABASE_SERVER_UNAVAILABLE`: The database server does not answer.
     */
    NetworksExhaustedOrBusyOrContainerEngineUnavailableOrStoreUnavailableOrWorkerUnavailableOrDatabaseServerUnavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code:
            | 'NETWORKS_EXHAUSTED'
            | 'BUSY'
            | 'CONTAINER_ENGINE_UNAVAILABLE'
            | 'STORE_UNAVAILABLE'
            | 'WORKER_UNAVAILABLE'
            | 'DATABASE_SERVER_UNAVAILABLE'
        }
      }
    }
    /** @description `NOT_FOUND`: There is nothing at this address. */
    NotFound: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'NOT_FOUND'
        }
      }
    }
    /** @description `PAYLOAD_TOO_LARGE`: The body is larger than this operation takes. */
    PayloadTooLarge: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'PAYLOAD_TOO_LARGE'
        }
      }
    }
    /** @description `RATE_LIMITED`: Too many tries; try again later. */
    RateLimited: {
      headers: {
        'Retry-After': components['headers']['Retry-After']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'RATE_LIMITED'
        }
      }
    }
    /** @description `UNAUTHENTICATED`: Sign in first, or send a token that is valid. */
    Unauthenticated: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'UNAUTHENTICATED'
        }
      }
    }
    /**
     * @description `UNAUTHENTICATED`: Sign in first, or send a token that is valid.
     *
     *     `INVALID_CREDENTIALS`: E-mail address or password is wrong.
     *
     *     `2FA_INVALID_CODE`: This code is wrong, used or too old.
     */
    UnauthenticatedOrInvalidCredentialsOr2faInvalidCode: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'UNAUTHENTICATED' | 'INVALID_CREDENTIALS' | '2FA_INVALID_CODE'
        }
      }
    }
    /** @description `UNSUPPORTED_MEDIA_TYPE`: Send the content type that the operation takes. */
    UnsupportedMediaType: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'UNSUPPORTED_MEDIA_TYPE'
        }
      }
    }
    /** @description `VALIDATION_ERROR`: Some values are not valid; details says which. */
    ValidationError: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'VALIDATION_ERROR'
        }
      }
    }
    /**
     * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
     *
     *     `MALFORMED_JSON`: The body is not valid JSON.
     */
    ValidationErrorOrMalformedJson: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'VALIDATION_ERROR' | 'MALFORMED_JSON'
        }
      }
    }
    /**
     * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
     *
     *     `MALFORMED_JSON`: The body is not valid JSON.
     *
     *     `INVALID_TARGET`: This cannot be done with that account or domain.
     */
    ValidationErrorOrMalformedJsonOrInvalidTarget: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'VALIDATION_ERROR' | 'MALFORMED_JSON' | 'INVALID_TARGET'
        }
      }
    }
    /**
     * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
     *
     *     `MALFORMED_JSON`: The body is not valid JSON.
     *
     *     `PATH_INVALID`: This is not a path.
     */
    ValidationErrorOrMalformedJsonOrPathInvalid: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'VALIDATION_ERROR' | 'MALFORMED_JSON' | 'PATH_INVALID'
        }
      }
    }
    /**
     * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
     *
     *     `PATH_INVALID`: This is not a path.
     */
    ValidationErrorOrPathInvalid: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error'] & {
          /** @enum {string} */
          code: 'VALIDATION_ERROR' | 'PATH_INVALID'
        }
      }
    }
  }
  parameters: {
    /** @description How many at most. */
    Limit: number
    /** @description How many at most. */
    Limit50: number
    /** @description Which page, from 1. */
    Page: number
  }
  requestBodies: never
  headers: {
    /** @description Parts can be asked for. */
    'Accept-Ranges': string
    /** @description The name to save it under (RFC 6266). */
    'Content-Disposition': string
    /** @description Which part it is, with 206; how long the whole is, with 416. */
    'Content-Range': string
    /** @description Of this state of the file. */
    ETag: string
    /** @description When the file was written last. */
    'Last-Modified': string
    /** @description The next and the previous page (RFC 8288); without either there is none. */
    Link: string
    /** @description Seconds to wait before the next try, where that is known. */
    'Retry-After': number
    /** @description The session: HttpOnly, SameSite=Lax, and over HTTPS Secure with the prefix `__Host-`. Signing out removes it. Any operation of a session may set it anew, with more time. */
    'Set-Cookie': string
    /** @description How many there are on all pages. */
    'X-Total-Count': number
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  getAcmeChallenge: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description From the certificate authority. */
        token: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/plain': string
        }
      }
      400: components['responses']['ValidationError']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getWellKnownAutoconfig: {
    parameters: {
      query?: {
        /** @description Defaults to the domain of the host. */
        emailaddress?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/xml': string
        }
      }
      400: components['responses']['ValidationError']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getMtaStsPolicy: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/plain': string
        }
      }
      400: components['responses']['ValidationError']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listAuditEntries: {
    parameters: {
      query?: {
        /** @description What to do, or in the audit log, what was done. */
        action?: components['schemas']['AuditAction']
        /** @description Who did it. */
        actorId?: components['schemas']['Id']
        /** @description `csv`: a file with all matching entries, regardless of the page. Cells that a spreadsheet would read as a formula start with an apostrophe. */
        format?: components['schemas']['AuditFormat']
        /** @description Nothing before this time. */
        from?: string
        /** @description How many at most. */
        limit?: components['parameters']['Limit50']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description What it was done to. */
        targetId?: string
        /** @description Nothing after this time. */
        to?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AuditList']
          'text/csv': string
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listOwnAuditEntries: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit50']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AuditList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  verifyAuditLog: {
    parameters: {
      query?: {
        /** @description Entry to continue after; 0 starts with the first entry. If omitted, checks the latest entries. */
        after?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AuditCheck']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  answerLoginChallenge: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TwoFactorChallenge']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      /** @description `2FA_INVALID_CODE`: This code is wrong, used or too old. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: '2FA_INVALID_CODE'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  disableTwoFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['DisableTwoFactor']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['UnauthenticatedOrInvalidCredentialsOr2faInvalidCode']
      403: components['responses']['ForbiddenOrAccountSuspended']
      /** @description `TWO_FACTOR_NOT_ENABLED`: Two-factor is not on. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'TWO_FACTOR_NOT_ENABLED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  renewRecoveryCodes: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['DisableTwoFactor']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecoveryCodes']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['UnauthenticatedOrInvalidCredentialsOr2faInvalidCode']
      403: components['responses']['ForbiddenOrAccountSuspended']
      /** @description `TWO_FACTOR_NOT_ENABLED`: Two-factor is not on. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'TWO_FACTOR_NOT_ENABLED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  setUpTwoFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TwoFactorSetup']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrFreshAuthRequired']
      /** @description `TWO_FACTOR_ENABLED`: Two-factor is on already. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'TWO_FACTOR_ENABLED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  enableTwoFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['VerifyTwoFactorSetup']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecoveryCodes']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      /**
       * @description `UNAUTHENTICATED`: Sign in first, or send a token that is valid.
       *
       *     `2FA_INVALID_CODE`: This code is wrong, used or too old.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'UNAUTHENTICATED' | '2FA_INVALID_CODE'
          }
        }
      }
      403: components['responses']['ForbiddenOrAccountSuspended']
      /**
       * @description `TWO_FACTOR_ENABLED`: Two-factor is on already.
       *
       *     `TWO_FACTOR_NOT_ENABLED`: Two-factor is not on.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'TWO_FACTOR_ENABLED' | 'TWO_FACTOR_NOT_ENABLED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  changePassword: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePassword']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      /**
       * @description `UNAUTHENTICATED`: Sign in first, or send a token that is valid.
       *
       *     `INVALID_CREDENTIALS`: E-mail address or password is wrong.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'UNAUTHENTICATED' | 'INVALID_CREDENTIALS'
          }
        }
      }
      403: components['responses']['ForbiddenOrAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getAuthConfig: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AuthConfig']
        }
      }
      400: components['responses']['ValidationError']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  confirmIdentity: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Confirm']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Confirmed']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['UnauthenticatedOrInvalidCredentialsOr2faInvalidCode']
      403: components['responses']['ForbiddenOrAccountSuspendedOrFreshAuthRequired']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  requestPasswordReset: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ForgotPassword']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  login: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Login']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['LoginChallenge']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      /** @description `INVALID_CREDENTIALS`: E-mail address or password is wrong. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'INVALID_CREDENTIALS'
          }
        }
      }
      /**
       * @description `ADMIN_2FA_REQUIRED`: Administrators need two-factor here; turn it on first.
       *
       *     `ACCOUNT_SUSPENDED`: This account is suspended.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'ADMIN_2FA_REQUIRED' | 'ACCOUNT_SUSPENDED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  logout: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getCurrentUser: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  register: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Register']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      /**
       * @description `REGISTRATION_DISABLED`: Registration is closed; ask an administrator for an account.
       *
       *     `SETUP_TOKEN_REQUIRED`: Create the first account with the setup link that the panel prints.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'REGISTRATION_DISABLED' | 'SETUP_TOKEN_REQUIRED'
          }
        }
      }
      409: components['responses']['EmailExists']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  resetPassword: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ResetPassword']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      /**
       * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
       *
       *     `MALFORMED_JSON`: The body is not valid JSON.
       *
       *     `LINK_INVALID`: This link is used, too old or wrong; ask for a new one.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'VALIDATION_ERROR' | 'MALFORMED_JSON' | 'LINK_INVALID'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  offerSessionMove: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SessionMove']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  takeSession: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TakeSession']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Set-Cookie': components['headers']['Set-Cookie']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      /**
       * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
       *
       *     `MALFORMED_JSON`: The body is not valid JSON.
       *
       *     `LINK_INVALID`: This link is used, too old or wrong; ask for a new one.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'VALIDATION_ERROR' | 'MALFORMED_JSON' | 'LINK_INVALID'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listSessions: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SessionList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  revokeOtherSessions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  revokeSession: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The session. */
        id: components['schemas']['SessionId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done; there is nothing to say. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listApiTokens: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ApiTokenList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createApiToken: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateApiToken']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedApiToken']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['UnauthenticatedOrInvalidCredentialsOr2faInvalidCode']
      403: components['responses']['ForbiddenOrAccountSuspendedOrFreshAuthRequired']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  revokeApiToken: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The API token. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listBackups: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BackupList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  startBackups: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StartBackup']
      }
    }
    responses: {
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StartedBackups']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getBackupSchedule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BackupSchedule']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  changeBackupSchedule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BackupSchedule']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BackupSchedule']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listBackupTargets: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BackupTargetList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createBackupTarget: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateBackupTarget']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NewBackupTarget']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      /** @description `BACKUP_TARGET_UNREACHABLE`: The backup target cannot be reached, or its key is wrong. */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'BACKUP_TARGET_UNREACHABLE'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  deleteBackupTarget: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The backup target. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done; there is nothing to say. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  confirmBackupTarget: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The backup target. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmBackupKey']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BackupTarget']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listDatabases: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description `none`: databases that are not linked to a project. */
        projectId?: 'none' | components['schemas']['Id']
        /** @description A part of the name, in any case. */
        search?: string
        /** @description Of this type only. */
        type?: components['schemas']['DatabaseType']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DatabaseList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['NetworksExhaustedOrBusyOrContainerEngineUnavailableOrStoreUnavailableOrWorkerUnavailableOrDatabaseServerUnavailable']
    }
  }
  createDatabase: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDatabase']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Database']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `IMAGE_NOT_KEPT`: The image of this deployment is gone; build again.
       *
       *     `DEPLOYMENT_IN_PROGRESS`: A deployment of the project is under way.
       *
       *     `DATABASE_NAME_EXISTS`: The engine has a database of this name.
       *
       *     `DATABASE_VARIABLES_EXIST`: The project has variables of a database already.
       *
       *     `DATABASE_CHANGING`: The database is being changed; try again in a moment.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'CONFLICT'
              | 'IMAGE_NOT_KEPT'
              | 'DEPLOYMENT_IN_PROGRESS'
              | 'DATABASE_NAME_EXISTS'
              | 'DATABASE_VARIABLES_EXIST'
              | 'DATABASE_CHANGING'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['NetworksExhaustedOrBusyOrContainerEngineUnavailableOrStoreUnavailableOrWorkerUnavailableOrDatabaseServerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getDatabase: {
    parameters: {
      query?: {
        /** @description `false` masks the password as in lists and writes no audit entry. */
        secrets?: 'true' | 'false'
      }
      header?: never
      path: {
        /** @description The database. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Database']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['NetworksExhaustedOrBusyOrContainerEngineUnavailableOrStoreUnavailableOrWorkerUnavailableOrDatabaseServerUnavailable']
    }
  }
  deleteDatabase: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The database. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `IMAGE_NOT_KEPT`: The image of this deployment is gone; build again.
       *
       *     `DEPLOYMENT_IN_PROGRESS`: A deployment of the project is under way.
       *
       *     `DATABASE_CHANGING`: The database is being changed; try again in a moment.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'IMAGE_NOT_KEPT' | 'DEPLOYMENT_IN_PROGRESS' | 'DATABASE_CHANGING'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['NetworksExhaustedOrBusyOrContainerEngineUnavailableOrStoreUnavailableOrWorkerUnavailableOrDatabaseServerUnavailable']
    }
  }
  updateDatabase: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The database. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateDatabase']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Database']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DATABASE_VARIABLES_EXIST`: The project has variables of a database already.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'DATABASE_VARIABLES_EXIST'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['NetworksExhaustedOrBusyOrContainerEngineUnavailableOrStoreUnavailableOrWorkerUnavailableOrDatabaseServerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  rotateDatabasePassword: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The database. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Database']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `IMAGE_NOT_KEPT`: The image of this deployment is gone; build again.
       *
       *     `DEPLOYMENT_IN_PROGRESS`: A deployment of the project is under way.
       *
       *     `DATABASE_CHANGING`: The database is being changed; try again in a moment.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'IMAGE_NOT_KEPT' | 'DEPLOYMENT_IN_PROGRESS' | 'DATABASE_CHANGING'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['NetworksExhaustedOrBusyOrContainerEngineUnavailableOrStoreUnavailableOrWorkerUnavailableOrDatabaseServerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  testDatabase: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The database. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DatabaseTest']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      /**
       * @description `BUSY`: The server is busy with others just now; try again in a moment.
       *
       *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
       *
       *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
       *
       *     `DATABASE_SERVER_UNAVAILABLE`: The database server does not answer.
       */
      503: {
        headers: {
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'BUSY' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE' | 'DATABASE_SERVER_UNAVAILABLE'
          }
        }
      }
    }
  }
  listDomains: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description Of this project only. */
        projectId?: components['schemas']['Id']
        /** @description A part of the name, in any case. */
        search?: string
        /** @description With this status only. */
        status?: components['schemas']['DomainStatus']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DomainList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createDomain: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDomain']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedDomain']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /**
       * @description `HOSTNAME_EXISTS`: This host name is taken.
       *
       *     `HOSTNAME_RESERVED`: This host name is one of the panel itself.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'HOSTNAME_EXISTS' | 'HOSTNAME_RESERVED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getDomain: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedDomain']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  deleteDomain: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done; there is nothing to say. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updateDomain: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateDomain']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Domain']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /** @description `HOSTNAME_EXISTS`: This host name is taken. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'HOSTNAME_EXISTS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listDnsRecords: {
    parameters: {
      query?: {
        /** @description Page size; default 100. */
        limit?: number
        /** @description Which page, from 1. */
        page?: number
      }
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DnsRecord'][]
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /** @description `DNS_NOT_MANAGED`: The DNS of this domain is managed elsewhere. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'DNS_NOT_MANAGED'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createDnsRecord: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDnsRecord']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DnsRecord']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDnsNotManagedOrDnsRecordExistsOrDnsRecordConflictOrDnsRecordLimit']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrDnsServerUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  changeDnsMode: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeDnsMode']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Domain']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       *
       *     `DNS_MODE_MAIL_ACTIVE`: The domain has mailboxes here.
       *
       *     `DNS_NOT_DELEGATED`: The parent zone does not name our name servers yet.
       *
       *     `DNS_ZONE_CONFLICT`: A zone of this name, above or below it, is served here for another account.
       *
       *     `DNS_RECORD_EXISTS`: The zone has this record already.
       *
       *     `DNS_RECORD_CONFLICT`: The record conflicts with another one in the zone.
       *
       *     `DNS_RECORD_LIMIT`: The zone has as many records as it may have.
       *
       *     `DNSSEC_DS_PRESENT`: The parent zone still has a DS record; remove it there first.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'CONFLICT'
              | 'DOMAIN_NOT_ACTIVE'
              | 'DNS_MODE_MAIL_ACTIVE'
              | 'DNS_NOT_DELEGATED'
              | 'DNS_ZONE_CONFLICT'
              | 'DNS_RECORD_EXISTS'
              | 'DNS_RECORD_CONFLICT'
              | 'DNS_RECORD_LIMIT'
              | 'DNSSEC_DS_PRESENT'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrDnsServerUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  checkDelegation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DelegationCheck']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  deleteDnsRecord: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
        /** @description The record. */
        recordId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done; there is nothing to say. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DNS_NOT_MANAGED`: The DNS of this domain is managed elsewhere.
       *
       *     `DNS_RECORD_CONFLICT`: The record conflicts with another one in the zone.
       *
       *     `DNS_RECORD_LIMIT`: The zone has as many records as it may have.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'DNS_NOT_MANAGED' | 'DNS_RECORD_CONFLICT' | 'DNS_RECORD_LIMIT'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrDnsServerUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updateDnsRecord: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
        /** @description The record. */
        recordId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateDnsRecord']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DnsRecord']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDnsNotManagedOrDnsRecordExistsOrDnsRecordConflictOrDnsRecordLimit']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrDnsServerUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  checkPropagation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
        /** @description The record. */
        recordId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DnsPropagation']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDnsNotManaged']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  previewDefaultDnsRecords: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ImportPreview']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDnsNotManaged']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createDefaultDnsRecords: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DnsRecord'][]
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDnsNotManagedOrDnsRecordExistsOrDnsRecordConflictOrDnsRecordLimit']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrDnsServerUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  exportZone: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'text/plain': string
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDnsNotManaged']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  importZone: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ImportZone']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ImportResult']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DNS_NOT_MANAGED`: The DNS of this domain is managed elsewhere.
       *
       *     `DNS_RECORD_LIMIT`: The zone has as many records as it may have.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'DNS_NOT_MANAGED' | 'DNS_RECORD_LIMIT'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrDnsServerUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getDnssec: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Dnssec']
        }
      }
      /**
       * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
       *
       *     `INVALID_TARGET`: This cannot be done with that account or domain.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'VALIDATION_ERROR' | 'INVALID_TARGET'
          }
        }
      }
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDnsNotManaged']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrDnsServerUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updateDnssec: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SetDnssec']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Dnssec']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DNS_NOT_MANAGED`: The DNS of this domain is managed elsewhere.
       *
       *     `DNSSEC_DS_PRESENT`: The parent zone still has a DS record; remove it there first.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'DNS_NOT_MANAGED' | 'DNSSEC_DS_PRESENT'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrDnsServerUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getCertificate: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Certificate']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  deleteCertificate: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  provisionCertificate: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Certificate']
        }
      }
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Certificate']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       *
       *     `DNS_NOT_MANAGED`: The DNS of this domain is managed elsewhere.
       *
       *     `CERTIFICATE_EXISTS`: Another path of this host has the certificate.
       *
       *     `CERTIFICATE_PENDING`: A certificate is being issued; wait for it.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'DOMAIN_NOT_ACTIVE' | 'DNS_NOT_MANAGED' | 'CERTIFICATE_EXISTS' | 'CERTIFICATE_PENDING'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  renewCertificate: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Certificate']
        }
      }
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Certificate']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       *
       *     `DNS_NOT_MANAGED`: The DNS of this domain is managed elsewhere.
       *
       *     `CERTIFICATE_EXISTS`: Another path of this host has the certificate.
       *
       *     `CERTIFICATE_PENDING`: A certificate is being issued; wait for it.
       *
       *     `CERTIFICATE_NOT_RENEWABLE`: An uploaded certificate cannot be renewed here.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'DOMAIN_NOT_ACTIVE'
              | 'DNS_NOT_MANAGED'
              | 'CERTIFICATE_EXISTS'
              | 'CERTIFICATE_PENDING'
              | 'CERTIFICATE_NOT_RENEWABLE'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  updateCertificateSettings: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CertificateSettings']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Certificate']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  uploadCertificate: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UploadCertificate']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Certificate']
        }
      }
      /**
       * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
       *
       *     `MALFORMED_JSON`: The body is not valid JSON.
       *
       *     `CERTIFICATE_INVALID`: This is not a certificate in PEM.
       *
       *     `KEY_INVALID`: This is not an unencrypted private key in PEM.
       *
       *     `KEY_MISMATCH`: The key is not that of the certificate.
       *
       *     `CHAIN_INVALID`: The certificates are no chain.
       *
       *     `CERTIFICATE_EXPIRED`: The certificate has expired.
       *
       *     `CERTIFICATE_HOST_MISMATCH`: The certificate is not for this host name.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'VALIDATION_ERROR'
              | 'MALFORMED_JSON'
              | 'CERTIFICATE_INVALID'
              | 'KEY_INVALID'
              | 'KEY_MISMATCH'
              | 'CHAIN_INVALID'
              | 'CERTIFICATE_EXPIRED'
              | 'CERTIFICATE_HOST_MISMATCH'
          }
        }
      }
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       *
       *     `CERTIFICATE_EXISTS`: Another path of this host has the certificate.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'DOMAIN_NOT_ACTIVE' | 'CERTIFICATE_EXISTS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listSubdomains: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          Link: components['headers']['Link']
          'X-Total-Count': components['headers']['X-Total-Count']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DomainList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  verifyDomain: {
    parameters: {
      query?: {
        /** @description As mockRecord. */
        mock?: 'true' | 'false'
        /** @description Only used with NODE_ENV=test or PANEL_MOCK_DNS=true. */
        mockRecord?: string
      }
      header?: never
      path: {
        /** @description The domain. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['VerifyResult']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `HOSTNAME_EXISTS`: This host name is taken.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'HOSTNAME_EXISTS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrReverseProxyUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listCertificateAlerts: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CertificateAlerts']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  downloadDirectory: {
    parameters: {
      query?: {
        /** @description Relative to the root of the project; nothing is the root itself. */
        path?: components['schemas']['ClientPath']
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'application/gzip': string
        }
      }
      400: components['responses']['ValidationErrorOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrPathForbidden']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrNotADirectory']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
    }
  }
  changeFileMode: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeMode']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileNode']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      /** @description `NOT_A_FILE`: There is no file at this path but something else. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'NOT_A_FILE'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
    }
  }
  copyFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FromTo']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileNode']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceededOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `FILE_ALREADY_EXISTS`: Something is at this path already.
       *
       *     `NOT_A_FILE`: There is no file at this path but something else.
       *
       *     `NOT_A_DIRECTORY`: There is no directory at this path but something else.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'FILE_ALREADY_EXISTS' | 'NOT_A_FILE' | 'NOT_A_DIRECTORY'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  createFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WriteFile']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WrittenFile']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceededOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      /**
       * @description `FILE_ALREADY_EXISTS`: Something is at this path already.
       *
       *     `NOT_A_FILE`: There is no file at this path but something else.
       *
       *     `NOT_A_DIRECTORY`: There is no directory at this path but something else.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'FILE_ALREADY_EXISTS' | 'NOT_A_FILE' | 'NOT_A_DIRECTORY'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  deleteFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PathBody']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
    }
  }
  downloadFile: {
    parameters: {
      query: {
        /** @description Relative to the root of the project; nothing is the root itself. */
        path: components['schemas']['ClientPath']
      }
      header?: {
        /** @description ETag of your copy; 304 if the file is unchanged. */
        'If-None-Match'?: string
        /** @description Returns the whole file if the ETag no longer matches. */
        'If-Range'?: string
        /** @description One part of the file (RFC 9110 §14). */
        Range?: string
      }
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Accept-Ranges': components['headers']['Accept-Ranges']
          'Content-Disposition': components['headers']['Content-Disposition']
          'Content-Range': components['headers']['Content-Range']
          ETag: components['headers']['ETag']
          'Last-Modified': components['headers']['Last-Modified']
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': string
        }
      }
      /** @description The part that was asked for. */
      206: {
        headers: {
          'Accept-Ranges': components['headers']['Accept-Ranges']
          'Content-Disposition': components['headers']['Content-Disposition']
          'Content-Range': components['headers']['Content-Range']
          ETag: components['headers']['ETag']
          'Last-Modified': components['headers']['Last-Modified']
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': string
        }
      }
      /** @description The client has it already. */
      304: {
        headers: {
          'Accept-Ranges': components['headers']['Accept-Ranges']
          'Content-Disposition': components['headers']['Content-Disposition']
          'Content-Range': components['headers']['Content-Range']
          ETag: components['headers']['ETag']
          'Last-Modified': components['headers']['Last-Modified']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrPathForbidden']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `NOT_A_FILE`: There is no file at this path but something else.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'NOT_A_FILE'
          }
        }
      }
      /** @description `RANGE_NOT_SATISFIABLE`: The file has no such part. */
      416: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'RANGE_NOT_SATISFIABLE'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
    }
  }
  extractArchive: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ExtractArchive']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ExtractedArchive']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceededOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `FILE_ALREADY_EXISTS`: Something is at this path already.
       *
       *     `NOT_A_FILE`: There is no file at this path but something else.
       *
       *     `NOT_A_DIRECTORY`: There is no directory at this path but something else.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'FILE_ALREADY_EXISTS' | 'NOT_A_FILE' | 'NOT_A_DIRECTORY'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      /** @description `ARCHIVE_INVALID`: The archive cannot be unpacked. */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'ARCHIVE_INVALID'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listFiles: {
    parameters: {
      query?: {
        /** @description The `next` of the previous page. Only with depth 1. */
        after?: string
        /** @description How many levels of directories. */
        depth?: number
        /** @description How many at most. */
        limit?: number
        /** @description Relative to the root of the project; nothing is the root itself. */
        path?: components['schemas']['ClientPath']
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileList']
        }
      }
      400: components['responses']['ValidationErrorOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrPathForbidden']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrNotADirectory']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
    }
  }
  createDirectory: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PathBody']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileNode']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceededOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      409: components['responses']['FileAlreadyExistsOrNotADirectory']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  moveFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FromTo']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileNode']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      409: components['responses']['FileAlreadyExistsOrNotADirectory']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
    }
  }
  readFile: {
    parameters: {
      query: {
        /** @description Relative to the root of the project; nothing is the root itself. */
        path: components['schemas']['ClientPath']
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileContent']
        }
      }
      400: components['responses']['ValidationErrorOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrPathForbidden']
      404: components['responses']['NotFound']
      /**
       * @description `NOT_A_FILE`: There is no file at this path but something else.
       *
       *     `NOT_TEXT`: The file is not text in UTF-8; download it instead.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'NOT_A_FILE' | 'NOT_TEXT'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
    }
  }
  renameFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FromTo']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileNode']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      409: components['responses']['FileAlreadyExistsOrNotADirectory']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
    }
  }
  searchFiles: {
    parameters: {
      query: {
        /** @description How many at most. */
        limit?: number
        /** @description Part of the name, case-insensitive. */
        name: string
        /** @description Relative to the root of the project; nothing is the root itself. */
        path?: components['schemas']['ClientPath']
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileSearch']
        }
      }
      400: components['responses']['ValidationErrorOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrPathForbidden']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrNotADirectory']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
    }
  }
  uploadFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['UploadForm']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileNode']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceededOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `NOT_A_FILE`: There is no file at this path but something else.
       *
       *     `NOT_A_DIRECTORY`: There is no directory at this path but something else.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'NOT_A_FILE' | 'NOT_A_DIRECTORY'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  writeFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplaceFile']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WrittenFile']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrPathInvalid']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceededOrPathForbiddenOrPathProtected']
      404: components['responses']['NotFound']
      /**
       * @description `FILE_CHANGED`: The file was changed or removed since you read it.
       *
       *     `NOT_A_FILE`: There is no file at this path but something else.
       *
       *     `NOT_A_DIRECTORY`: There is no directory at this path but something else.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'FILE_CHANGED' | 'NOT_A_FILE' | 'NOT_A_DIRECTORY'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFilesUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getFirewall: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FirewallState']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  saveFirewall: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SaveFirewall']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FirewallState']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `FIREWALL_CHANGE_PENDING`: Confirm or revert the pending firewall change first.
       *
       *     `FIREWALL_LOCKOUT`: The rules would block your address from the panel.
       *
       *     `FIREWALL_SSH_LOCKOUT`: The rules would block your address from SSH.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'FIREWALL_CHANGE_PENDING' | 'FIREWALL_LOCKOUT' | 'FIREWALL_SSH_LOCKOUT'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFirewallUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listAllowedNetworks: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AllowedNetworkList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  allowNetwork: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AllowNetwork']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AllowedNetwork']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFirewallUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  disallowNetwork: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done; there is nothing to say. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listBans: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit50']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        reason?: components['schemas']['BanReason']
        /** @description Part of an address or note. */
        search?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BanList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createBan: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateBan']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Ban']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      /**
       * @description `ADDRESS_EXEMPT`: This address cannot be banned: it is allowed, your own, or belongs to the server.
       *
       *     `BANS_OFF`: Bans are off; turn on the setting BANS.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'ADDRESS_EXEMPT' | 'BANS_OFF'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFirewallUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  deleteBan: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done; there is nothing to say. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFirewallUnavailable']
    }
  }
  confirmFirewall: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmFirewall']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FirewallState']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `FIREWALL_CONNECTION_OLD`: Confirm from a connection that was opened after the change.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'FIREWALL_CONNECTION_OLD'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFirewallUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  exportFirewall: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FirewallExport']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  importFirewall: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ImportFirewall']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FirewallState']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `FIREWALL_CHANGE_PENDING`: Confirm or revert the pending firewall change first.
       *
       *     `FIREWALL_LOCKOUT`: The rules would block your address from the panel.
       *
       *     `FIREWALL_SSH_LOCKOUT`: The rules would block your address from SSH.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'FIREWALL_CHANGE_PENDING' | 'FIREWALL_LOCKOUT' | 'FIREWALL_SSH_LOCKOUT'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFirewallUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  reconnect: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done; there is nothing to say. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  revertFirewall: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FirewallState']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrFirewallUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  inspectRepository: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['GitInspect']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['GitInspection']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['GitUrlUnsupportedOrGitUnreachable']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getHealth: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Health']
        }
      }
      400: components['responses']['ValidationError']
      500: components['responses']['Internal']
    }
  }
  listMailAliases: {
    parameters: {
      query?: {
        /** @description Of this domain only. */
        domainId?: components['schemas']['Id']
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description A part of the name, in any case. */
        search?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailAliasList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createMailAlias: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateMailAlias']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailAlias']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       *
       *     `MAIL_ALIAS_EXISTS`: There is an alias of this address.
       *
       *     `MAIL_ALIAS_LOOP`: Mail would go round in a circle.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'DOMAIN_NOT_ACTIVE' | 'MAIL_ALIAS_EXISTS' | 'MAIL_ALIAS_LOOP'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getMailAlias: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The alias. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailAlias']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  deleteMailAlias: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The alias. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updateMailAlias: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The alias. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateMailAlias']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailAlias']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /** @description `MAIL_ALIAS_LOOP`: Mail would go round in a circle. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'MAIL_ALIAS_LOOP'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  checkMailAuth: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailAuthCheckResult']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDomainNotActiveOrDnsRecordLimit']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getMtaSts: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MtaSts']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  changeMtaSts: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeMtaSts']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MtaSts']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDomainNotActiveOrDnsRecordLimit']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  regenerateMailAuth: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailAuthStatusResponse']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['ConflictOrDomainNotActiveOrDnsRecordLimit']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listDeletedMailboxes: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeletedMailboxList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  purgeMailbox: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /** @description `MAILBOX_EXISTS`: There is a mailbox of this address. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'MAILBOX_EXISTS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  exportDeletedMailbox: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'application/gzip': string
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  restoreMailbox: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Mailbox']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       *
       *     `MAILBOX_EXISTS`: There is a mailbox of this address.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'DOMAIN_NOT_ACTIVE' | 'MAILBOX_EXISTS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  createDeliveryTest: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDeliveryTest']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryTest']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getDeliveryTest: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The test. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryTest']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listDkimKeys: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DkimKeyList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  retireDkimKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
        /** @description The key. */
        keyId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['RetireDkimKey']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DkimKey']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       *
       *     `DKIM_KEY_IN_USE`: The key signs mail, or has signed some that may be under way.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'DOMAIN_NOT_ACTIVE' | 'DKIM_KEY_IN_USE'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  rotateDkimKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DkimRotation']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       *
       *     `DNS_RECORD_CONFLICT`: The record conflicts with another one in the zone.
       *
       *     `DNS_RECORD_LIMIT`: The zone has as many records as it may have.
       *
       *     `DKIM_KEY_MISSING`: The domain has no key to sign with.
       *
       *     `DKIM_KEY_PENDING`: The newest key does not sign yet.
       *
       *     `DKIM_KEY_LIMIT`: The domain has as many keys as it may.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'CONFLICT'
              | 'DOMAIN_NOT_ACTIVE'
              | 'DNS_RECORD_CONFLICT'
              | 'DNS_RECORD_LIMIT'
              | 'DKIM_KEY_MISSING'
              | 'DKIM_KEY_PENDING'
              | 'DKIM_KEY_LIMIT'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  readDmarcReports: {
    parameters: {
      query?: {
        /** @description First day; default 30 days before the last. */
        from?: string
        /** @description How many at most. */
        limit?: components['parameters']['Limit50']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description pass: passed DMARC by DKIM or SPF. fail: did not. */
        result?: components['schemas']['DmarcResult']
        /** @description Last day; default today. */
        to?: string
      }
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DmarcSummary']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listMailDomains: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description Part of the name. */
        search?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailDomainList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  searchDeliveryLog: {
    parameters: {
      query?: {
        /** @description Domain of the sender or a recipient. */
        domain?: string
        /** @description How many at most. */
        limit?: components['parameters']['Limit50']
        /** @description Address of the sender or a recipient, with or without a `+` detail. */
        mailbox?: string
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description With this status only. */
        status?: components['schemas']['DeliveryStatus']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryLog']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listMailQueue: {
    parameters: {
      query?: {
        /** @description In this queue only. */
        flagged?: components['schemas']['QueueFlag']
        /** @description How many at most. */
        limit?: number
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description Part of the sender, a recipient or a reason, case-insensitive. */
        search?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailQueueList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  deleteQueuedMessage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The message, by its id in the queue. */
        queueId: components['schemas']['QueueId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  flushQueuedMessage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The message, by its id in the queue. */
        queueId: components['schemas']['QueueId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  holdQueuedMessage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The message, by its id in the queue. */
        queueId: components['schemas']['QueueId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  releaseQueuedMessage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The message, by its id in the queue. */
        queueId: components['schemas']['QueueId']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  flushMailQueue: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getSpamSettings: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SpamSettings']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updateSpamSettings: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The domain. */
        domainId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSpamSettings']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SpamSettings']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'DOMAIN_NOT_ACTIVE'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getMailStatus: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailStatus']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  syncMail: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailSyncResult']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getWebmailActivity: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WebmailActivity']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listMailboxes: {
    parameters: {
      query?: {
        /** @description Of this domain only. */
        domainId?: components['schemas']['Id']
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description A part of the name, in any case. */
        search?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailboxList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createMailbox: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateMailbox']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Mailbox']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DOMAIN_NOT_ACTIVE`: Verify the domain first.
       *
       *     `MAILBOX_EXISTS`: There is a mailbox of this address.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'DOMAIN_NOT_ACTIVE' | 'MAILBOX_EXISTS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getMailbox: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Mailbox']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  deleteMailbox: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updateMailbox: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateMailbox']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Mailbox']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getAppleMailProfile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'application/x-apple-aspen-config': string
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getAutoreply: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Autoreply']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  setAutoreply: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SetAutoreply']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Autoreply']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  removeAutoreply: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getMailClientSettings: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ClientSettings']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  exportMailbox: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'application/gzip': string
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listMailboxImports: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailboxImportList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  importMailbox: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateMailboxImport']
      }
    }
    responses: {
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailboxImport']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getMailboxImport: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
        /** @description The import. */
        importId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailboxImport']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  cancelMailboxImport: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
        /** @description The import. */
        importId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MailboxImport']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getWebmailLink: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The mailbox. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WebmailLink']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listContainerMetrics: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ContainerMetric'][]
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listFigures: {
    parameters: {
      query?: {
        /** @description How far back. */
        range?: components['schemas']['MetricRange']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Figure'][]
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listMetricSnapshots: {
    parameters: {
      query?: {
        /** @description How far back. */
        range?: components['schemas']['MetricRange']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MetricSnapshot'][]
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getServerMetrics: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ServerMetrics']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listNotifications: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description Only unread notifications (true) or only read ones (false). */
        unread?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  readNotification: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The notification. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReadNotification']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UnreadCount']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listNotificationChannels: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationChannelList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createNotificationChannel: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateChannel']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedNotificationChannel']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  replaceNotificationChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The channel. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateChannel']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationChannel']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  deleteNotificationChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The channel. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  changeNotificationChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The channel. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeChannel']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationChannel']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  testNotificationChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The channel. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationChannelTest']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listNotificationDeliveries: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationDeliveryList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  readNotificationPreferences: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationPreferences']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  setNotificationPreferences: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NotificationPreferences']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NotificationPreferences']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  readAllNotifications: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UnreadCount']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  readOverview: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Overview']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listProjects: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description A part of the name, in any case. */
        search?: string
        /** @description Only projects in this state. */
        state?: components['schemas']['ProjectState']
        /** @description With this status only. */
        status?: components['schemas']['ProjectStatus']
        /** @description Of this type only. */
        type?: components['schemas']['ProjectType']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProjectList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createProject: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateProject']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Project']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      /** @description `PROJECT_NAME_EXISTS`: You already have a project with that name. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'PROJECT_NAME_EXISTS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      /** @description `GIT_URL_UNSUPPORTED`: Repositories of this address are not supported. */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'GIT_URL_UNSUPPORTED'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getProject: {
    parameters: {
      query?: {
        /** @description `false` omits the webhook secret: `webhookSecret` is null, and no audit entry is written. */
        secrets?: 'true' | 'false'
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Project']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updateProject: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateProject']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Project']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /** @description `PROJECT_NAME_EXISTS`: You already have a project with that name. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'PROJECT_NAME_EXISTS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      /** @description `GIT_URL_UNSUPPORTED`: Repositories of this address are not supported. */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'GIT_URL_UNSUPPORTED'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  deleteProject: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done; there is nothing to say. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listProjectBackups: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BackupList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  startProjectBackup: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StartBackup']
      }
    }
    responses: {
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StartedBackups']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getProjectBackup: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The backup. */
        backupId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Backup']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listBackupFiles: {
    parameters: {
      query?: {
        /** @description Relative to the root of the project; nothing is the root itself. */
        path?: string
      }
      header?: never
      path: {
        /** @description The backup. */
        backupId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BackupFiles']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      /** @description `BACKUP_TARGET_UNREACHABLE`: The backup target cannot be reached, or its key is wrong. */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'BACKUP_TARGET_UNREACHABLE'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  restoreBackup: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The backup. */
        backupId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['StartRestore']
      }
    }
    responses: {
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Restore']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  buildProject: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['BuildRequest']
      }
    }
    responses: {
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Deployment']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /**
       * @description `GIT_NOT_CONNECTED`: Connect a repository to the project first.
       *
       *     `DEPLOYMENT_IN_PROGRESS`: A deployment of the project is under way.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'GIT_NOT_CONNECTED' | 'DEPLOYMENT_IN_PROGRESS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  controlContainer: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description What to do, or in the audit log, what was done. */
        action: components['schemas']['ContainerAction']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ContainerActionResult']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `CONTAINER_MISSING`: The project has no container; deploy it first.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'CONTAINER_MISSING'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      /**
       * @description `BUSY`: The server is busy with others just now; try again in a moment.
       *
       *     `CONTAINER_ENGINE_UNAVAILABLE`: The container engine is not responding.
       *
       *     `REVERSE_PROXY_UNAVAILABLE`: The reverse proxy does not answer.
       *
       *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
       *
       *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
       */
      503: {
        headers: {
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'BUSY'
              | 'CONTAINER_ENGINE_UNAVAILABLE'
              | 'REVERSE_PROXY_UNAVAILABLE'
              | 'STORE_UNAVAILABLE'
              | 'WORKER_UNAVAILABLE'
          }
        }
      }
    }
  }
  getContainerStatus: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ContainerStatus']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      /**
       * @description `BUSY`: The server is busy with others just now; try again in a moment.
       *
       *     `CONTAINER_ENGINE_UNAVAILABLE`: The container engine is not responding.
       *
       *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
       *
       *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
       */
      503: {
        headers: {
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'BUSY' | 'CONTAINER_ENGINE_UNAVAILABLE' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE'
          }
        }
      }
    }
  }
  deployProject: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['DeployRequest']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeployResult']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      /**
       * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
       *
       *     `ACCOUNT_SUSPENDED`: This account is suspended.
       *
       *     `QUOTA_EXCEEDED`: The account has as many of these as it may have.
       *
       *     `DOMAIN_NOT_VERIFIED`: Verify the domain first.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'FORBIDDEN' | 'ACCOUNT_SUSPENDED' | 'QUOTA_EXCEEDED' | 'DOMAIN_NOT_VERIFIED'
          }
        }
      }
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `NOT_BUILT`: Build the project first.
       *
       *     `IMAGE_NOT_KEPT`: The image of this deployment is gone; build again.
       *
       *     `CONTAINER_MISSING`: The project has no container; deploy it first.
       *
       *     `DEPLOYMENT_IN_PROGRESS`: A deployment of the project is under way.
       *
       *     `DEPLOYMENT_FAILED`: The deployment failed; its log says why.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'CONFLICT'
              | 'NOT_BUILT'
              | 'IMAGE_NOT_KEPT'
              | 'CONTAINER_MISSING'
              | 'DEPLOYMENT_IN_PROGRESS'
              | 'DEPLOYMENT_FAILED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listDeployments: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: number
        /** @description `false` omits the logs: `buildLogs` is null. */
        logs?: 'true' | 'false'
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeploymentList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getDeployment: {
    parameters: {
      query?: {
        /** @description `false` omits the logs: `buildLogs` is null. */
        logs?: 'true' | 'false'
      }
      header?: never
      path: {
        /** @description The deployment. */
        deploymentId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Deployment']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  cancelDeployment: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The deployment. */
        deploymentId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Deployment']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /** @description `DEPLOYMENT_FINISHED`: The deployment is over. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'DEPLOYMENT_FINISHED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listDeploymentChanges: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The deployment. */
        deploymentId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeploymentChanges']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      422: components['responses']['GitUrlUnsupportedOrGitUnreachable']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  readDeploymentLog: {
    parameters: {
      query?: {
        /** @description The `next` of the previous piece; 0 is the beginning. */
        after?: number
        /** @description Instead of `after`: the last lines, up to this number and the size of a piece. */
        tail?: number
      }
      header?: never
      path: {
        /** @description The deployment. */
        deploymentId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeploymentLogPiece']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  rollBackDeployment: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The deployment. */
        deploymentId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Deployment']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /**
       * @description `IMAGE_NOT_KEPT`: The image of this deployment is gone; build again.
       *
       *     `DEPLOYMENT_IN_PROGRESS`: A deployment of the project is under way.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'IMAGE_NOT_KEPT' | 'DEPLOYMENT_IN_PROGRESS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getDetection: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Detection']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      /** @description `GIT_UNREACHABLE`: The repository cannot be reached. */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'GIT_UNREACHABLE'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listEnvVars: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EnvVarList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  setEnvVars: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SetEnvVars']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EnvVar'] | components['schemas']['EnvVarWritten']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  deleteEnvVar: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
        /** @description The name of the variable. */
        key: components['schemas']['EnvKey']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  revealEnvVar: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
        /** @description The name of the variable. */
        key: components['schemas']['EnvKey']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RevealedEnvVar']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrFreshAuthRequired']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  exportEnvVars: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EnvFileText']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrFreshAuthRequired']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  importEnvVars: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ImportEnv']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EnvVarsImported']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getGit: {
    parameters: {
      query?: {
        /** @description `false` omits the webhook secret: `webhookSecret` is null, and no audit entry is written. */
        secrets?: 'true' | 'false'
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['GitInfo']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  connectGit: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['GitConnect']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['GitInfo']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `GIT_NOT_CONNECTED`: Connect a repository to the project first.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'GIT_NOT_CONNECTED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['GitUrlUnsupportedOrGitUnreachable']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  createDeployKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SshKey']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      /** @description `GIT_UNREACHABLE`: The repository cannot be reached. */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'GIT_UNREACHABLE'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  rotateWebhookSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WebhookSecret']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getContainerLogs: {
    parameters: {
      query?: {
        /** @description How many of the last lines. */
        tail?: number
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Logs']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `CONTAINER_MISSING`: The project has no container; deploy it first.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'CONTAINER_MISSING'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      /**
       * @description `BUSY`: The server is busy with others just now; try again in a moment.
       *
       *     `CONTAINER_ENGINE_UNAVAILABLE`: The container engine is not responding.
       *
       *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
       *
       *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
       */
      503: {
        headers: {
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'BUSY' | 'CONTAINER_ENGINE_UNAVAILABLE' | 'STORE_UNAVAILABLE' | 'WORKER_UNAVAILABLE'
          }
        }
      }
    }
  }
  listProjectMetrics: {
    parameters: {
      query?: {
        /** @description How far back. */
        range?: components['schemas']['MetricRange']
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProjectMetric'][]
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listRestores: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RestoreList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  undoRestore: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
        /** @description The restore. */
        restoreId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Restore']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  readStatusPage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StatusPage']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  saveStatusPage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SaveStatusPage']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StatusPage']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  readTraffic: {
    parameters: {
      query?: {
        /** @description How far back. */
        range?: components['schemas']['MetricRange']
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Traffic']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listUptimeChecks: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: number
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UptimeCheckList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createUptimeCheck: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateUptimeCheck']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UptimeCheck']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getUptimeCheck: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The check. */
        checkId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UptimeCheck']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  deleteUptimeCheck: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The check. */
        checkId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done; there is nothing to say. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updateUptimeCheck: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The check. */
        checkId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateUptimeCheck']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UptimeCheck']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  listUptimeIncidents: {
    parameters: {
      query?: {
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
      }
      header?: never
      path: {
        /** @description The check. */
        checkId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UptimeIncidentList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  readUptimeResults: {
    parameters: {
      query?: {
        /** @description Ends now. */
        range?: components['schemas']['UptimeRange']
      }
      header?: never
      path: {
        /** @description The check. */
        checkId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UptimeResults']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  runUptimeCheck: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The check. */
        checkId: components['schemas']['Id']
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      409: components['responses']['Conflict']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  exportWordpress: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['Content-Disposition']
          [name: string]: unknown
        }
        content: {
          'application/gzip': string
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `NOT_WORDPRESS`: The project is not a WordPress site.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'CONFLICT' | 'NOT_WORDPRESS'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      /**
       * @description `NETWORKS_EXHAUSTED`: No network is left; an administrator must widen the pools.
       *
       *     `BUSY`: The server is busy with others just now; try again in a moment.
       *
       *     `CONTAINER_ENGINE_UNAVAILABLE`: The container engine is not responding.
       *
       *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
       *
       *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
       *
       *     `DATABASE_SERVER_UNAVAILABLE`: The database server does not answer.
       *
       *     `FILES_UNAVAILABLE`: The files of the projects cannot be reached just now.
       *
       *     `SFTP_UNAVAILABLE`: The SFTP server is not there.
       */
      503: {
        headers: {
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'NETWORKS_EXHAUSTED'
              | 'BUSY'
              | 'CONTAINER_ENGINE_UNAVAILABLE'
              | 'STORE_UNAVAILABLE'
              | 'WORKER_UNAVAILABLE'
              | 'DATABASE_SERVER_UNAVAILABLE'
              | 'FILES_UNAVAILABLE'
              | 'SFTP_UNAVAILABLE'
          }
        }
      }
      507: components['responses']['DiskFull']
    }
  }
  getNewestWordpressImport: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WordpressImport']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  importWordpress: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['ImportForm']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WordpressImport']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /**
       * @description `CONFLICT`: Something else of yours is under way; wait for it to finish.
       *
       *     `DATABASE_NAME_EXISTS`: The engine has a database of this name.
       *
       *     `DATABASE_VARIABLES_EXIST`: The project has variables of a database already.
       *
       *     `NOT_WORDPRESS`: The project is not a WordPress site.
       *
       *     `WORDPRESS_IMPORT_RUNNING`: An import into this site is under way.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'CONFLICT'
              | 'DATABASE_NAME_EXISTS'
              | 'DATABASE_VARIABLES_EXIST'
              | 'NOT_WORDPRESS'
              | 'WORDPRESS_IMPORT_RUNNING'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      /**
       * @description `ARCHIVE_INVALID`: The archive cannot be unpacked.
       *
       *     `WORDPRESS_IMPORT_FAILED`: The site could not be imported; it is as it was.
       */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'ARCHIVE_INVALID' | 'WORDPRESS_IMPORT_FAILED'
          }
        }
      }
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      /**
       * @description `NETWORKS_EXHAUSTED`: No network is left; an administrator must widen the pools.
       *
       *     `BUSY`: The server is busy with others just now; try again in a moment.
       *
       *     `CONTAINER_ENGINE_UNAVAILABLE`: The container engine is not responding.
       *
       *     `STORE_UNAVAILABLE`: The store cannot be reached just now; try again.
       *
       *     `WORKER_UNAVAILABLE`: The worker does not answer just now; try again.
       *
       *     `DATABASE_SERVER_UNAVAILABLE`: The database server does not answer.
       *
       *     `FILES_UNAVAILABLE`: The files of the projects cannot be reached just now.
       */
      503: {
        headers: {
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'NETWORKS_EXHAUSTED'
              | 'BUSY'
              | 'CONTAINER_ENGINE_UNAVAILABLE'
              | 'STORE_UNAVAILABLE'
              | 'WORKER_UNAVAILABLE'
              | 'DATABASE_SERVER_UNAVAILABLE'
              | 'FILES_UNAVAILABLE'
          }
        }
      }
      507: components['responses']['DiskFull']
    }
  }
  getWordpressImport: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The project. */
        id: components['schemas']['Id']
        /** @description The import. */
        importId: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WordpressImport']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  search: {
    parameters: {
      query: {
        /** @description Limit in total and per type. */
        limit?: number
        /** @description Part of the name, case-insensitive. */
        q: string
        /** @description Comma-separated types to search: project, domain, database, mailbox, user. Default: all. */
        types?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SearchResults']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getSftpUser: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SftpUser']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  addSshKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AddSshKey']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SftpUser']
        }
      }
      /**
       * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
       *
       *     `MALFORMED_JSON`: The body is not valid JSON.
       *
       *     `SSH_KEY_INVALID`: This is not a public key as OpenSSH writes it.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'VALIDATION_ERROR' | 'MALFORMED_JSON' | 'SSH_KEY_INVALID'
          }
        }
      }
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrQuotaExceeded']
      404: components['responses']['NotFound']
      /** @description `SSH_KEY_EXISTS`: The account has this key already. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'SSH_KEY_EXISTS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrSftpUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getSftpCredentials: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SftpCredentials']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrSftpUnavailable']
    }
  }
  disableSftp: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SftpUser']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrSftpUnavailable']
    }
  }
  enableSftp: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SftpUser']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrSftpUnavailable']
    }
  }
  provisionSftpUser: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SftpCredentials']
        }
      }
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SftpCredentials']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrSftpUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  removeSshKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AddSshKey']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SftpUser']
        }
      }
      /**
       * @description `VALIDATION_ERROR`: Some values are not valid; details says which.
       *
       *     `MALFORMED_JSON`: The body is not valid JSON.
       *
       *     `SSH_KEY_INVALID`: This is not a public key as OpenSSH writes it.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'VALIDATION_ERROR' | 'MALFORMED_JSON' | 'SSH_KEY_INVALID'
          }
        }
      }
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrSftpUnavailable']
    }
  }
  rotateSftpPassword: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SftpCredentials']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailableOrSftpUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  readPublicStatus: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Of the status page. */
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PublicStatus']
        }
      }
      400: components['responses']['ValidationError']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getServerAddresses: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ServerAddresses']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getDnsInfo: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DnsInfo']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  verifyDnsInfo: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DnsInfoVerification']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getSettings: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ServerSettings']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  changeSettings: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeSettings']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ServerSettings']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      /**
       * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
       *
       *     `FORBIDDEN_ROLE`: Your account may not do this; ask an administrator.
       *
       *     `ADMIN_2FA_REQUIRED`: Administrators need two-factor here; turn it on first.
       *
       *     `ACCOUNT_SUSPENDED`: This account is suspended.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'FORBIDDEN' | 'FORBIDDEN_ROLE' | 'ADMIN_2FA_REQUIRED' | 'ACCOUNT_SUSPENDED'
          }
        }
      }
      /** @description `SETTING_FIXED`: This variable is set by the environment or takes a restart. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'SETTING_FIXED'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getVersion: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PanelVersion']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listUsers: {
    parameters: {
      query?: {
        /** @description Only those below this account, on every level, and not itself. */
        below?: components['schemas']['Id']
        /** @description How many at most. */
        limit?: components['parameters']['Limit']
        /** @description `created`: newest first. `disk`: highest disk usage first. */
        order?: components['schemas']['UserOrder']
        /** @description Which page, from 1. */
        page?: components['parameters']['Page']
        /** @description With this role only. */
        role?: components['schemas']['Role']
        /** @description A part of the name, in any case. */
        search?: string
        /** @description Only suspended accounts (true) or only active ones (false). */
        suspended?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UserList']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  createUser: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateUser']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      /**
       * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
       *
       *     `FORBIDDEN_ROLE`: Your account may not do this; ask an administrator.
       *
       *     `ACCOUNT_SUSPENDED`: This account is suspended.
       *
       *     `FRESH_AUTH_REQUIRED`: Show your password again first (POST /api/auth/confirm).
       *
       *     `OVERSELL_NOT_ENABLED`: The sub-accounts would have more than the account above them.
       *
       *     `QUOTA_EXCEEDED`: The account has as many of these as it may have.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code:
              | 'FORBIDDEN'
              | 'FORBIDDEN_ROLE'
              | 'ACCOUNT_SUSPENDED'
              | 'FRESH_AUTH_REQUIRED'
              | 'OVERSELL_NOT_ENABLED'
              | 'QUOTA_EXCEEDED'
          }
        }
      }
      409: components['responses']['EmailExists']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrMailUnavailableOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  deleteUser: {
    parameters: {
      query?: {
        /** @description What becomes of its projects: without it, an account that has some is not deleted. */
        projects?: 'delete'
      }
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /**
       * @description `ACCOUNT_NOT_EMPTY`: The account has projects or sub-accounts still.
       *
       *     `LAST_ADMIN`: The last administrator must stay one.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'ACCOUNT_NOT_EMPTY' | 'LAST_ADMIN'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updateUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateUser']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspendedOrFreshAuthRequired']
      404: components['responses']['NotFound']
      409: components['responses']['EmailExists']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  resetTwoFactor: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getDiskUsage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DiskUsage']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  listDiskUsageHistory: {
    parameters: {
      query?: {
        /** @description How many days, to today. */
        days?: number
      }
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DiskUsageDay'][]
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  changePermissions: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePermissions']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  changeQuotas: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeQuotas']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJsonOrInvalidTarget']
      401: components['responses']['Unauthenticated']
      /**
       * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
       *
       *     `FORBIDDEN_ROLE`: Your account may not do this; ask an administrator.
       *
       *     `ACCOUNT_SUSPENDED`: This account is suspended.
       *
       *     `OVERSELL_NOT_ENABLED`: The sub-accounts would have more than the account above them.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'FORBIDDEN' | 'FORBIDDEN_ROLE' | 'ACCOUNT_SUSPENDED' | 'OVERSELL_NOT_ENABLED'
          }
        }
      }
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  resumeUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  changeRole: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeRole']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      /**
       * @description `FORBIDDEN`: This belongs to another account, or takes a token with a wider scope.
       *
       *     `FORBIDDEN_ROLE`: Your account may not do this; ask an administrator.
       *
       *     `ACCOUNT_SUSPENDED`: This account is suspended.
       *
       *     `FRESH_AUTH_REQUIRED`: Show your password again first (POST /api/auth/confirm).
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'FORBIDDEN' | 'FORBIDDEN_ROLE' | 'ACCOUNT_SUSPENDED' | 'FRESH_AUTH_REQUIRED'
          }
        }
      }
      404: components['responses']['NotFound']
      /**
       * @description `ACCOUNT_NOT_EMPTY`: The account has projects or sub-accounts still.
       *
       *     `LAST_ADMIN`: The last administrator must stay one.
       */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'ACCOUNT_NOT_EMPTY' | 'LAST_ADMIN'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  revokeUserSessions: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Message']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrForbiddenRoleOrAccountSuspended']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  suspendUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      /** @description `LAST_ADMIN`: The last administrator must stay one. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'LAST_ADMIN'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getUsageOf: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The account. */
        id: components['schemas']['Id']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UsageSummary']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  updatePreferences: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdatePreferences']
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getOwnDiskUsage: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DiskUsage']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getUsage: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UsageSummary']
        }
      }
      400: components['responses']['ValidationError']
      401: components['responses']['Unauthenticated']
      403: components['responses']['ForbiddenOrAccountSuspended']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  receivePush: {
    parameters: {
      query: {
        /** @description The project id. */
        projectId: components['schemas']['Id']
      }
      header?: {
        /** @description Identifies the event: repeated deliveries of one event trigger one deployment. */
        'X-GitProvider-Delivery'?: string
        /** @description `push` or `ping`. GitHub sends X-GitHub-Event, GitLab X-Gitlab-Event, Bitbucket X-Event-Key. */
        'X-GitProvider-Event'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The new head of the branch. */
          after?: string
          head_commit?: {
            id?: string
            message?: string
          }
          /** @description The branch, as `refs/heads/<branch>`. */
          ref?: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PushPong'] | components['schemas']['PushIgnored']
        }
      }
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PushAccepted']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      /** @description `SIGNATURE_INVALID`: Missing or invalid signature. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'SIGNATURE_INVALID'
          }
        }
      }
      /** @description `DEPLOYMENT_IN_PROGRESS`: A deployment of the project is under way. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'DEPLOYMENT_IN_PROGRESS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  receiveProjectPush: {
    parameters: {
      query?: never
      header?: {
        /** @description Identifies the event: repeated deliveries of one event trigger one deployment. */
        'X-GitProvider-Delivery'?: string
        /** @description `push` or `ping`. GitHub sends X-GitHub-Event, GitLab X-Gitlab-Event, Bitbucket X-Event-Key. */
        'X-GitProvider-Event'?: string
      }
      path: {
        /** @description The project that it is for. */
        projectId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description The new head of the branch. */
          after?: string
          head_commit?: {
            id?: string
            message?: string
          }
          /** @description The branch, as `refs/heads/<branch>`. */
          ref?: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PushPong'] | components['schemas']['PushIgnored']
        }
      }
      /** @description Accepted: it goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PushAccepted']
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      /** @description `SIGNATURE_INVALID`: Missing or invalid signature. */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'SIGNATURE_INVALID'
          }
        }
      }
      404: components['responses']['NotFound']
      /** @description `DEPLOYMENT_IN_PROGRESS`: A deployment of the project is under way. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code: 'DEPLOYMENT_IN_PROGRESS'
          }
        }
      }
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
      507: components['responses']['DiskFull']
    }
  }
  getAutodiscover: {
    parameters: {
      query?: {
        /** @description An address in the domain. */
        email?: string
        /** @description An address in the domain. */
        Email?: string
        /** @description `AutodiscoverV1`. */
        protocol?: string
        /** @description `AutodiscoverV1`. */
        Protocol?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Autodiscover']
        }
      }
      400: components['responses']['ValidationError']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getAutodiscoverOf: {
    parameters: {
      query?: {
        /** @description An address in the domain. */
        email?: string
        /** @description An address in the domain. */
        Email?: string
        /** @description `AutodiscoverV1`. */
        protocol?: string
        /** @description `AutodiscoverV1`. */
        Protocol?: string
      }
      header?: never
      path: {
        /** @description An address in the domain. */
        address: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Autodiscover']
        }
      }
      400: components['responses']['ValidationError']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  postAutodiscover: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'text/xml': string
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/xml': string
        }
      }
      400: components['responses']['ValidationErrorOrMalformedJson']
      404: components['responses']['NotFound']
      413: components['responses']['PayloadTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
  getAutoconfig: {
    parameters: {
      query?: {
        /** @description Defaults to the domain of the host. */
        emailaddress?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/xml': string
        }
      }
      400: components['responses']['ValidationError']
      404: components['responses']['NotFound']
      429: components['responses']['RateLimited']
      500: components['responses']['Internal']
      503: components['responses']['BusyOrStoreUnavailableOrWorkerUnavailable']
    }
  }
}
