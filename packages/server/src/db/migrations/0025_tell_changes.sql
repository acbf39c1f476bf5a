-- Changes of rows are told to the panel's processes (infra/event-bus) by the store itself, in the transaction that makes them: whoever
-- writes them, and however many at once. Why: docs/adr/0053-told-by-the-store.md. What is told: one call of panel_tell for each table, below.

CREATE FUNCTION "panel_tell_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE TG_ARGV[0];
  RETURN NULL;
END $$;
--> statement-breakpoint

-- `told` selects audience, name, data and type from "changed", which has the rows of a statement and `gone` where they were deleted.
-- `watched` are expressions of a row $: of an update, rows are told of in which one of them is another than before. Of more than 20 in one
-- statement, an audience hears once, without their ids; the store itself leaves out what a transaction tells twice.
CREATE FUNCTION "panel_tell"(tab regclass, operations text[], watched text, told text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  operation text;
  changed text;
  query text;
BEGIN
  FOREACH operation IN ARRAY operations LOOP
    changed := CASE operation
      WHEN 'insert' THEN 'select n.*, false as gone from new_rows n'
      WHEN 'delete' THEN 'select o.*, true as gone from old_rows o'
      ELSE format('select n.*, false as gone from new_rows n join old_rows o on o.id = n.id where row(%s) is distinct from row(%s)',
        replace(watched, '$', 'n'), replace(watched, '$', 'o'))
    END;
    query := format($q$
      with changed as (%s), told as (%s),
        counted as (select *, count(*) over (partition by audience, type) as number
          from (select distinct * from told where audience is not null) events)
      select pg_notify('panel_events', payload::text) from (
        select distinct case
          when number > 20 and type is not null
            then jsonb_build_object('to', audience, 'name', 'changed', 'data', jsonb_build_object('type', type, 'id', null, 'projectId', null))
          else jsonb_build_object('to', audience, 'name', name, 'data', data)
        end as payload from counted
      ) payloads$q$, changed, told);
    EXECUTE format('create or replace trigger %I after %s on %s referencing %s for each statement execute function panel_tell_changes(%L)',
      'tell_' || operation, operation, tab,
      CASE operation WHEN 'insert' THEN 'new table as new_rows' WHEN 'delete' THEN 'old table as old_rows'
        ELSE 'old table as old_rows new table as new_rows' END,
      query);
  END LOOP;
END $$;
--> statement-breakpoint

CREATE FUNCTION "panel_account"(id text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  select case when id is not null then jsonb_build_object('userId', id) end
$$;
--> statement-breakpoint

CREATE FUNCTION "panel_changed"(type text, id text, project_id text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  select jsonb_build_object('type', type, 'id', id, 'projectId', project_id)
$$;
--> statement-breakpoint

SELECT panel_tell('deployments', '{insert,update}', '$.status', $$
  select panel_account(user_id) as audience, 'deployment:status' as name, 'deployment' as type,
    jsonb_build_object('projectId', project_id, 'deploymentId', id, 'status', status) as data from changed$$);
--> statement-breakpoint

SELECT panel_tell('deployment_logs', '{insert}', '', $$
  select to_jsonb('processes'::text) as audience, 'deployment-log:grew' as name, null as type,
    jsonb_build_object('deploymentId', deployment_id) as data from changed$$);
--> statement-breakpoint

SELECT panel_tell('projects', '{insert,update,delete}',
  '$.name, $.type, $.status, $.git_url, $.branch, $.is_private, $.build_cmd, $.start_cmd, $.port, $.read_only_root, $.live_deployment_id, $.container_id, $.container_status, $.deployed_domain, $.stop_reason, $.deleted_at', $$
  select panel_account(user_id) as audience, 'changed' as name, 'project' as type, panel_changed('project', id, id) as data from changed$$);
--> statement-breakpoint

SELECT panel_tell('env_vars', '{insert,update,delete}', '$.key, $.value, $.sensitive', $$
  select panel_account(p.user_id) as audience, 'changed' as name, 'variables' as type, panel_changed('variables', p.id, p.id) as data
  from changed c join projects p on p.id = c.project_id$$);
--> statement-breakpoint

SELECT panel_tell('domains', '{insert,update,delete}',
  '$.status, $.project_id, $.path_prefix, $.dns_mode, $.zone_id, $.is_mail_host', $$
  select panel_account(user_id) as audience, 'domain' as name, 'domain' as type,
    jsonb_build_object('domainId', id, 'projectId', project_id, 'status', case when gone then 'REMOVED' else status::text end,
      'dnsMode', dns_mode) as data from changed$$);
--> statement-breakpoint

SELECT panel_tell('dns_records', '{insert,update,delete}',
  '$.type, $.name, $.value, $.ttl, $.priority, $.weight, $.port', $$
  select panel_account(d.user_id) as audience, 'changed' as name, 'dns-records' as type, panel_changed('dns-records', d.id, d.project_id) as data
  from changed c join domains d on d.id = c.domain_id$$);
--> statement-breakpoint

SELECT panel_tell('certificates', '{insert,update,delete}',
  '$.status, $.error_message, $.fingerprint, $.valid_to, $.auto_renew, $.force_https, $.pending_order is null', $$
  select panel_account(d.user_id) as audience, 'certificate' as name, 'certificate' as type,
    jsonb_build_object('domainId', d.id, 'projectId', d.project_id, 'status', case when gone then 'REMOVED' else c.status::text end) as data
  from changed c join domains d on d.id = c.domain_id$$);
--> statement-breakpoint

SELECT panel_tell('databases', '{insert,update,delete}',
  '$.name, $.status, $.project_id, $.auto_inject_env, $.encrypted_password, $.encrypted_next_password is null', $$
  select panel_account(user_id) as audience, 'changed' as name, 'database' as type, panel_changed('database', id, project_id) as data from changed$$);
--> statement-breakpoint

SELECT panel_tell('mailboxes', '{insert,update,delete}', '$.*', $$
  select panel_account(user_id) as audience, 'changed' as name, 'mailbox' as type, panel_changed('mailbox', id, null) as data from changed$$);
--> statement-breakpoint

SELECT panel_tell('mail_aliases', '{insert,update,delete}', '$.*', $$
  select panel_account(d.user_id) as audience, 'changed' as name, 'mail-alias' as type, panel_changed('mail-alias', c.id, null) as data
  from changed c join domains d on d.id = c.domain_id$$);
--> statement-breakpoint

SELECT panel_tell('sftp_users', '{insert,update,delete}', '$.*', $$
  select panel_account(user_id) as audience, 'changed' as name, 'sftp' as type, panel_changed('sftp', id, null) as data from changed$$);
--> statement-breakpoint

SELECT panel_tell('wordpress_imports', '{insert,update}', '$.status, $.step', $$
  select panel_account(user_id) as audience, 'import' as name, 'import' as type,
    jsonb_build_object('kind', 'wordpress', 'importId', id, 'projectId', project_id, 'mailboxId', null, 'status', status, 'step', step,
      'percent', null) as data from changed$$);
--> statement-breakpoint

SELECT panel_tell('mailbox_imports', '{insert,update}',
  '$.status, $.folders_done, $.messages_total is null, $.messages_done * 100 / nullif($.messages_total, 0)', $$
  select panel_account(user_id) as audience, 'import' as name, 'import' as type,
    jsonb_build_object('kind', 'mailbox', 'importId', id, 'projectId', null, 'mailboxId', mailbox_id, 'status', status, 'step', null,
      'percent', least(100, messages_done * 100 / nullif(messages_total, 0))) as data from changed$$);
--> statement-breakpoint

SELECT panel_tell('users', '{insert,update}',
  '$.name, $.email, $.role, $.permissions, $.overselling_enabled, $.totp_enabled, $.suspended_at, $.deleted_at, $.max_projects, $.max_domains, $.max_databases, $.max_mailboxes, $.max_sub_accounts, $.max_disk_mb', $$
  select audience, 'changed' as name, 'account' as type, panel_changed('account', id, null) as data
  from changed cross join lateral (values (panel_account(id)), (panel_account(parent_id)), (to_jsonb('admins'::text))) as told(audience)$$);
