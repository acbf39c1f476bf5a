CREATE TYPE "public"."acme_challenge_type" AS ENUM('http-01', 'dns-01');--> statement-breakpoint
CREATE TYPE "public"."token_scope" AS ENUM('read', 'deploy', 'full');--> statement-breakpoint
CREATE TYPE "public"."certificate_order_outcome" AS ENUM('open', 'issued', 'failed', 'refused');--> statement-breakpoint
CREATE TYPE "public"."certificate_status" AS ENUM('PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED', 'ERROR');--> statement-breakpoint
CREATE TYPE "public"."certificate_type" AS ENUM('LETS_ENCRYPT', 'CUSTOM', 'SELF_SIGNED');--> statement-breakpoint
CREATE TYPE "public"."database_status" AS ENUM('PROVISIONING', 'ACTIVE', 'DELETING');--> statement-breakpoint
CREATE TYPE "public"."database_type" AS ENUM('POSTGRESQL', 'MYSQL');--> statement-breakpoint
CREATE TYPE "public"."delivery_test_status" AS ENUM('SENDING', 'QUEUED', 'DEFERRED', 'DELIVERED', 'ANSWERED', 'BOUNCED', 'FAILED');--> statement-breakpoint
CREATE TYPE "public"."deployment_status" AS ENUM('QUEUED', 'BUILDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'CANCELLED');--> statement-breakpoint
CREATE TYPE "public"."deployment_trigger" AS ENUM('MANUAL', 'WEBHOOK', 'DEPLOY', 'ROLLBACK');--> statement-breakpoint
CREATE TYPE "public"."disk_usage_kind" AS ENUM('FILES', 'CONTAINERS', 'IMAGES', 'DATABASES', 'LOGS', 'MAIL');--> statement-breakpoint
CREATE TYPE "public"."dkim_key_status" AS ENUM('ACTIVE', 'RETIRING', 'RETIRED');--> statement-breakpoint
CREATE TYPE "public"."dmarc_disposition" AS ENUM('none', 'quarantine', 'reject');--> statement-breakpoint
CREATE TYPE "public"."dns_record_type" AS ENUM('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA', 'PTR', 'SSHFP', 'TLSA', 'SVCB', 'HTTPS', 'NAPTR');--> statement-breakpoint
CREATE TYPE "public"."dns_mode" AS ENUM('CONNECTED', 'MANAGED');--> statement-breakpoint
CREATE TYPE "public"."domain_status" AS ENUM('PENDING', 'ACTIVE', 'ERROR');--> statement-breakpoint
CREATE TYPE "public"."mta_sts_mode" AS ENUM('testing', 'enforce', 'none');--> statement-breakpoint
CREATE TYPE "public"."mailbox_import_security" AS ENUM('TLS', 'STARTTLS');--> statement-breakpoint
CREATE TYPE "public"."mailbox_import_status" AS ENUM('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED');--> statement-breakpoint
CREATE TYPE "public"."notification_channel_type" AS ENUM('EMAIL', 'WEBHOOK', 'SLACK', 'DISCORD', 'TELEGRAM', 'NTFY', 'GOTIFY');--> statement-breakpoint
CREATE TYPE "public"."notification_delivery_status" AS ENUM('WAITING', 'SENDING', 'SENT', 'FAILED');--> statement-breakpoint
CREATE TYPE "public"."project_status" AS ENUM('ACTIVE', 'CREATING', 'STOPPED', 'DELETED');--> statement-breakpoint
CREATE TYPE "public"."project_type" AS ENUM('NODEJS', 'PYTHON', 'STATIC', 'WORDPRESS', 'DOCKERFILE');--> statement-breakpoint
CREATE TYPE "public"."uptime_method" AS ENUM('GET', 'HEAD');--> statement-breakpoint
CREATE TYPE "public"."uptime_outcome" AS ENUM('up', 'down', 'unknown');--> statement-breakpoint
CREATE TYPE "public"."uptime_pause" AS ENUM('OWNER', 'PROJECT_STOPPED', 'NOT_DEPLOYED', 'ACCOUNT_SUSPENDED', 'HOST_NOT_OWN');--> statement-breakpoint
CREATE TYPE "public"."uptime_protocol" AS ENUM('http', 'https');--> statement-breakpoint
CREATE TYPE "public"."uptime_reason" AS ENUM('CONNECTION_LOST', 'TIMEOUT', 'STATUS', 'TEXT_MISSING', 'TEXT_PRESENT', 'TLS_NAME', 'TLS_EXPIRED', 'TLS_FAILED', 'PROXY_AWAY', 'CHECKER_DELAYED');--> statement-breakpoint
CREATE TYPE "public"."uptime_state" AS ENUM('UNKNOWN', 'UP', 'DOWN', 'PAUSED');--> statement-breakpoint
CREATE TYPE "public"."uptime_text_mode" AS ENUM('present', 'absent');--> statement-breakpoint
CREATE TYPE "public"."permission" AS ENUM('canManageDns', 'canManageFirewall', 'canManageBackups', 'canCreateSubAccounts');--> statement-breakpoint
CREATE TYPE "public"."role" AS ENUM('ADMIN', 'RESELLER', 'USER');--> statement-breakpoint
CREATE TYPE "public"."theme" AS ENUM('light', 'dark', 'system');--> statement-breakpoint
CREATE TYPE "public"."wordpress_import_status" AS ENUM('RUNNING', 'SUCCEEDED', 'FAILED');--> statement-breakpoint
CREATE TYPE "public"."wordpress_import_step" AS ENUM('RECEIVING', 'CHECKING', 'UNPACKING', 'LOADING', 'REWRITING', 'SWAPPING', 'DONE');--> statement-breakpoint
CREATE SEQUENCE "public"."user_uid" INCREMENT BY 1 MINVALUE 20000 MAXVALUE 2000000000 START WITH 20000 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."worker_id" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2000000000 START WITH 1 CACHE 1 CYCLE;--> statement-breakpoint
CREATE TABLE "account_networks" (
	"node_id" text NOT NULL,
	"number" integer NOT NULL,
	"uid" integer NOT NULL,
	"subnet" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_networks_node_id_number_pk" PRIMARY KEY("node_id","number")
);
--> statement-breakpoint
CREATE TABLE "acme_challenges" (
	"token" text PRIMARY KEY NOT NULL,
	"domain_id" text NOT NULL,
	"type" "acme_challenge_type" NOT NULL,
	"name" text,
	"value" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"scope" "token_scope" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"first_id" bigint PRIMARY KEY NOT NULL,
	"last_id" bigint NOT NULL,
	"last_hash" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"archive" text NOT NULL,
	"archive_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seal" text NOT NULL,
	CONSTRAINT "audit_checkpoints_last_id_unique" UNIQUE("last_id")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY NOT NULL,
	"action" text NOT NULL,
	"actor_id" text,
	"target_id" text,
	"ip" text,
	"user_agent" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"hash" text DEFAULT '' NOT NULL,
	"entry_id" text,
	CONSTRAINT "audit_log_entry_id_unique" UNIQUE("entry_id")
);
--> statement-breakpoint
CREATE TABLE "audit_pending" (
	"id" text PRIMARY KEY NOT NULL,
	"position" bigserial NOT NULL,
	"action" text NOT NULL,
	"actor_id" text,
	"target_id" text,
	"ip" text,
	"user_agent" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seal" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificate_alert_mails" (
	"user_id" text NOT NULL,
	"hostname" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "certificate_alert_mails_user_id_hostname_pk" PRIMARY KEY("user_id","hostname")
);
--> statement-breakpoint
CREATE TABLE "certificate_orders" (
	"id" text PRIMARY KEY NOT NULL,
	"hostname" text NOT NULL,
	"user_id" text,
	"outcome" "certificate_order_outcome" DEFAULT 'open' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificates" (
	"id" text PRIMARY KEY NOT NULL,
	"domain_id" text NOT NULL,
	"type" "certificate_type" DEFAULT 'LETS_ENCRYPT' NOT NULL,
	"status" "certificate_status" DEFAULT 'PENDING' NOT NULL,
	"common_name" text NOT NULL,
	"sans" text[] DEFAULT '{}' NOT NULL,
	"chain" text,
	"encrypted_key" text,
	"fingerprint" text,
	"issuer" text,
	"serial_number" text,
	"valid_from" timestamp (3) with time zone,
	"valid_to" timestamp (3) with time zone,
	"auto_renew" boolean DEFAULT true NOT NULL,
	"force_https" boolean DEFAULT true NOT NULL,
	"renew_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"pending_order" jsonb,
	"error_message" text,
	"error_sentences" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"last_checked_at" timestamp (3) with time zone,
	"last_renewed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "certificates_domain_id_unique" UNIQUE("domain_id")
);
--> statement-breakpoint
CREATE TABLE "container_disk" (
	"container_id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"deployment_id" text NOT NULL,
	"bytes" bigint NOT NULL,
	"files" bigint,
	"warned_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "container_slots" (
	"node_id" text NOT NULL,
	"port" integer NOT NULL,
	"network" integer,
	"address" text,
	"project_id" text NOT NULL,
	"deployment_id" text NOT NULL,
	"container_port" integer NOT NULL,
	"retired_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "container_slots_node_id_port_pk" PRIMARY KEY("node_id","port")
);
--> statement-breakpoint
CREATE TABLE "databases" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"node_id" text NOT NULL,
	"name" text NOT NULL,
	"type" "database_type" NOT NULL,
	"status" "database_status" DEFAULT 'PROVISIONING' NOT NULL,
	"project_id" text,
	"auto_inject_env" boolean DEFAULT false NOT NULL,
	"username" text NOT NULL,
	"encrypted_password" text NOT NULL,
	"encrypted_next_password" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "delivery_tests" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"mailbox_id" text NOT NULL,
	"token" text NOT NULL,
	"sender" text NOT NULL,
	"recipient" text NOT NULL,
	"status" "delivery_test_status" NOT NULL,
	"queue_id" text,
	"relay" text,
	"reply" text,
	"answer" jsonb,
	"looked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deployment_logs" (
	"deployment_id" text NOT NULL,
	"seq" bigserial NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "deployment_logs_deployment_id_seq_pk" PRIMARY KEY("deployment_id","seq")
);
--> statement-breakpoint
CREATE TABLE "deployments" (
	"id" text PRIMARY KEY NOT NULL,
	"seq" bigserial NOT NULL,
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"status" "deployment_status" DEFAULT 'QUEUED' NOT NULL,
	"trigger" "deployment_trigger" NOT NULL,
	"commit_hash" text,
	"commit_msg" text,
	"build_cmd" text,
	"image" text,
	"image_spec" jsonb,
	"worker_id" integer,
	"started_at" timestamp (3) with time zone,
	"log_removed_at" timestamp (3) with time zone,
	"failure" jsonb,
	"duration" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "disk_usage_history" (
	"user_id" text NOT NULL,
	"kind" "disk_usage_kind" NOT NULL,
	"day" date NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "disk_usage_history_user_id_day_kind_pk" PRIMARY KEY("user_id","day","kind")
);
--> statement-breakpoint
CREATE TABLE "disk_usage" (
	"user_id" text NOT NULL,
	"kind" "disk_usage_kind" NOT NULL,
	"bytes" bigint NOT NULL,
	"measured_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "disk_usage_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "dkim_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"domain_id" text NOT NULL,
	"user_id" text NOT NULL,
	"selector" text NOT NULL,
	"status" "dkim_key_status" DEFAULT 'ACTIVE' NOT NULL,
	"public_key" text NOT NULL,
	"encrypted_private_key" text NOT NULL,
	"key_length" integer NOT NULL,
	"signs_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "dmarc_reports" (
	"id" text PRIMARY KEY NOT NULL,
	"domain_id" text NOT NULL,
	"reporter" text NOT NULL,
	"report_id" text NOT NULL,
	"begin_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"policy" "dmarc_disposition",
	"row_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dmarc_rows" (
	"id" text PRIMARY KEY NOT NULL,
	"report_id" text NOT NULL,
	"domain_id" text NOT NULL,
	"day" date NOT NULL,
	"source_ip" text,
	"messages" integer NOT NULL,
	"disposition" "dmarc_disposition" NOT NULL,
	"dkim_aligned" boolean NOT NULL,
	"spf_aligned" boolean NOT NULL,
	"header_from" text,
	"dkim_domain" text,
	"spf_domain" text
);
--> statement-breakpoint
CREATE TABLE "dns_records" (
	"id" text PRIMARY KEY NOT NULL,
	"domain_id" text NOT NULL,
	"type" "dns_record_type" NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"ttl" integer NOT NULL,
	"priority" integer,
	"weight" integer,
	"port" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_zones" (
	"name" text PRIMARY KEY NOT NULL,
	"serial" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dns_zones" (
	"domain_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"is_signed" boolean DEFAULT false NOT NULL,
	"serial" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dns_zones_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "domains" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"hostname" text NOT NULL,
	"status" "domain_status" DEFAULT 'PENDING' NOT NULL,
	"verification_token" text,
	"project_id" text,
	"parent_id" text,
	"path_prefix" text,
	"dns_mode" "dns_mode" DEFAULT 'CONNECTED' NOT NULL,
	"zone_id" text,
	"is_mail_host" boolean DEFAULT false NOT NULL,
	"probe_at" timestamp (3) with time zone,
	"verified_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "env_vars" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"sensitive" boolean DEFAULT true NOT NULL,
	"database_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figures" (
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"node_id" text NOT NULL,
	"name" text NOT NULL,
	"labels" jsonb NOT NULL,
	"value" double precision NOT NULL,
	CONSTRAINT "figures_recorded_at_node_id_name_labels_pk" PRIMARY KEY("recorded_at","node_id","name","labels")
);
--> statement-breakpoint
CREATE TABLE "host_names" (
	"hostname" text PRIMARY KEY NOT NULL,
	"project_id" text,
	"user_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "host_names_holder" CHECK (("host_names"."project_id" is null) <> ("host_names"."user_id" is null))
);
--> statement-breakpoint
CREATE TABLE "mail_aliases" (
	"id" text PRIMARY KEY NOT NULL,
	"domain_id" text NOT NULL,
	"local_part" text NOT NULL,
	"targets" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_authentication" (
	"domain_id" text PRIMARY KEY NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"checks" jsonb,
	"found_records" text[] DEFAULT '{}' NOT NULL,
	"mta_sts_mode" "mta_sts_mode" DEFAULT 'testing' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_domains" (
	"domain_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer DEFAULT 0 NOT NULL,
	"is_opening" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_domains_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "mail_filter_settings" (
	"domain_id" text PRIMARY KEY NOT NULL,
	"is_enabled" boolean NOT NULL,
	"junk_score" real NOT NULL,
	"refuse_score" real NOT NULL,
	"is_greylisting" boolean NOT NULL,
	"allow" text[] NOT NULL,
	"deny" text[] NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_filter_settings_scores" CHECK (junk_score <= refuse_score)
);
--> statement-breakpoint
CREATE TABLE "mailbox_import_positions" (
	"mailbox_id" text NOT NULL,
	"host" text NOT NULL,
	"username" text NOT NULL,
	"path" text NOT NULL,
	"uid_validity" bigint NOT NULL,
	"last_uid" bigint NOT NULL,
	"target" text NOT NULL,
	"target_uid_validity" bigint NOT NULL,
	"target_uid_next" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mailbox_import_positions_mailbox_id_host_username_path_pk" PRIMARY KEY("mailbox_id","host","username","path")
);
--> statement-breakpoint
CREATE TABLE "mailbox_imports" (
	"id" text PRIMARY KEY NOT NULL,
	"mailbox_id" text NOT NULL,
	"user_id" text NOT NULL,
	"status" "mailbox_import_status" DEFAULT 'QUEUED' NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"security" "mailbox_import_security" NOT NULL,
	"username" text NOT NULL,
	"password" text,
	"folders" text[],
	"folders_done" integer DEFAULT 0 NOT NULL,
	"messages_done" bigint DEFAULT 0 NOT NULL,
	"bytes_done" bigint DEFAULT 0 NOT NULL,
	"folders_total" integer,
	"messages_total" bigint,
	"bytes_total" bigint,
	"left_out" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reason" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"queued_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"not_before" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"worker_id" integer,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mailbox_imports_password" CHECK ((status in ('QUEUED', 'RUNNING')) = (password is not null)),
	CONSTRAINT "mailbox_imports_worker" CHECK ((status = 'RUNNING') = (worker_id is not null))
);
--> statement-breakpoint
CREATE TABLE "mailboxes" (
	"id" text PRIMARY KEY NOT NULL,
	"domain_id" text,
	"domain_name" text NOT NULL,
	"user_id" text NOT NULL,
	"node_id" text NOT NULL,
	"local_part" text NOT NULL,
	"password_hash" text NOT NULL,
	"password_revision" integer DEFAULT 1 NOT NULL,
	"sessions_revision" integer DEFAULT 1 NOT NULL,
	"quota_mb" integer NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"autoreply_subject" text,
	"autoreply_text" text,
	"autoreply_from" timestamp (3) with time zone,
	"autoreply_until" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"purge_at" timestamp (3) with time zone,
	"kept_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mailboxes_deleted" CHECK ((deleted_at is null) = (purge_at is null)),
	CONSTRAINT "mailboxes_domain_of_live" CHECK (deleted_at is not null or domain_id is not null)
);
--> statement-breakpoint
CREATE TABLE "metric_counters" (
	"node_id" text PRIMARY KEY NOT NULL,
	"host" json,
	"containers" json
);
--> statement-breakpoint
CREATE TABLE "metric_half_hours" (
	"node_id" text NOT NULL,
	"cpu_percent" double precision,
	"ram_used" bigint,
	"ram_total" bigint,
	"disk_used" bigint,
	"disk_total" bigint,
	"network_received" bigint,
	"network_sent" bigint,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"last_id" bigint NOT NULL,
	CONSTRAINT "metric_half_hours_node_id_recorded_at_pk" PRIMARY KEY("node_id","recorded_at")
);
--> statement-breakpoint
CREATE TABLE "metric_snapshots" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "metric_snapshots_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"node_id" text NOT NULL,
	"cpu_percent" double precision,
	"ram_used" bigint,
	"ram_total" bigint,
	"disk_used" bigint,
	"disk_total" bigint,
	"network_received" bigint,
	"network_sent" bigint,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"load_average" real[],
	"uptime_seconds" double precision
);
--> statement-breakpoint
CREATE TABLE "project_metrics" (
	"project_id" text NOT NULL,
	"node_id" text NOT NULL,
	"minutes" integer NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"cpu_percent" real,
	"ram_used" bigint,
	"network_received" bigint,
	"network_sent" bigint,
	"disk_used" bigint,
	CONSTRAINT "project_metrics_project_id_minutes_recorded_at_pk" PRIMARY KEY("project_id","minutes","recorded_at")
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text,
	"last_port" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_channels" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"type" "notification_channel_type" NOT NULL,
	"name" text NOT NULL,
	"target" text NOT NULL,
	"secret" text,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"problem" text,
	"failing_since" timestamp (3) with time zone,
	"last_sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"channel_id" text,
	"channel_type" "notification_channel_type" NOT NULL,
	"channel_name" text NOT NULL,
	"status" "notification_delivery_status" NOT NULL,
	"notification_ids" jsonb NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"kinds" jsonb NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"is_digest" boolean DEFAULT false NOT NULL,
	"note" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"last_error" text,
	"response_code" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "notification_preferences" (
	"user_id" text PRIMARY KEY NOT NULL,
	"timezone" text,
	"quiet_from" text,
	"quiet_to" text,
	"choices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_subjects" (
	"user_id" text NOT NULL,
	"pair" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"told_state" text,
	"told_at" jsonb NOT NULL,
	"held_id" text,
	"settle_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_subjects_user_id_pair_subject_type_subject_id_pk" PRIMARY KEY("user_id","pair","subject_type","subject_id")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text NOT NULL,
	"state" text,
	"text" text NOT NULL,
	"sentences" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"link" text,
	"read_at" timestamp (3) with time zone,
	"planned_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"user_id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "password_resets_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"node_id" text NOT NULL,
	"name" text NOT NULL,
	"type" "project_type" NOT NULL,
	"status" "project_status" DEFAULT 'ACTIVE' NOT NULL,
	"git_url" text,
	"branch" text,
	"is_private" boolean DEFAULT false NOT NULL,
	"build_cmd" text,
	"start_cmd" text,
	"port" integer,
	"read_only_root" boolean DEFAULT false NOT NULL,
	"webhook_secret" text,
	"ssh_public_key" text,
	"ssh_private_key_path" text,
	"live_deployment_id" text,
	"container_id" text,
	"container_status" text,
	"internal_port" integer,
	"deployed_domain" text,
	"deployed_at" timestamp (3) with time zone,
	"stopped_by_suspension" boolean DEFAULT false NOT NULL,
	"stop_reason" text,
	"files_name" text,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_deliveries" (
	"project_id" text NOT NULL,
	"delivery_id" text NOT NULL,
	"deployment_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_deliveries_project_id_delivery_id_pk" PRIMARY KEY("project_id","delivery_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"ip" text,
	"user_agent" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"proved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sftp_users" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"node_id" text NOT NULL,
	"linux_username" text NOT NULL,
	"encrypted_password" text NOT NULL,
	"ssh_public_keys" text[] DEFAULT '{}' NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer DEFAULT 0 NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sftp_users_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "status_pages" (
	"project_id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"show_days" smallint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "status_pages_slug" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "traffic_points" (
	"project_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"seconds" smallint NOT NULL,
	"node_id" text NOT NULL,
	"batch" text NOT NULL,
	"requests" bigint NOT NULL,
	"client_errors" bigint NOT NULL,
	"server_errors" bigint NOT NULL,
	"bytes_in" bigint NOT NULL,
	"bytes_out" bigint NOT NULL,
	"times" bigint[] NOT NULL,
	CONSTRAINT "traffic_points_project_id_at_node_id_batch_pk" PRIMARY KEY("project_id","at","node_id","batch")
);
--> statement-breakpoint
CREATE TABLE "traffic_totals" (
	"project_id" text NOT NULL,
	"node_id" text NOT NULL,
	"requests" bigint NOT NULL,
	"client_errors" bigint NOT NULL,
	"server_errors" bigint NOT NULL,
	"bytes_in" bigint NOT NULL,
	"bytes_out" bigint NOT NULL,
	"lost" bigint DEFAULT 0 NOT NULL,
	"is_named" boolean NOT NULL,
	"histogram" bigint[] NOT NULL,
	"milliseconds" bigint NOT NULL,
	CONSTRAINT "traffic_totals_project_id_node_id_pk" PRIMARY KEY("project_id","node_id")
);
--> statement-breakpoint
CREATE TABLE "uptime_checks" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"hostname" text NOT NULL,
	"protocol" "uptime_protocol" NOT NULL,
	"path" text NOT NULL,
	"method" "uptime_method" NOT NULL,
	"expected_status" text NOT NULL,
	"text" text,
	"text_mode" "uptime_text_mode" NOT NULL,
	"interval_minutes" smallint NOT NULL,
	"timeout_seconds" smallint NOT NULL,
	"retries" smallint NOT NULL,
	"on_status_page" boolean NOT NULL,
	"state" "uptime_state" DEFAULT 'UNKNOWN' NOT NULL,
	"state_since" timestamp (3) with time zone NOT NULL,
	"pause" "uptime_pause",
	"recent" text DEFAULT '' NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"next_run_at" timestamp (3) with time zone,
	"taken_at" timestamp (3) with time zone,
	"last_run_at" timestamp (3) with time zone,
	"last_known_at" timestamp (3) with time zone,
	"last_status" smallint,
	"last_reason" "uptime_reason",
	"last_ms" integer,
	"tls_days_left" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uptime_hours" (
	"check_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"up_seconds" integer NOT NULL,
	"down_seconds" integer NOT NULL,
	"answers" integer NOT NULL,
	"sum_ms" integer NOT NULL,
	"max_ms" integer NOT NULL,
	CONSTRAINT "uptime_hours_check_id_hour_pk" PRIMARY KEY("check_id","hour")
);
--> statement-breakpoint
CREATE TABLE "uptime_incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"check_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"reason" "uptime_reason" NOT NULL,
	"status" smallint
);
--> statement-breakpoint
CREATE TABLE "uptime_results" (
	"check_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"outcome" "uptime_outcome" NOT NULL,
	"status" smallint,
	"ms" integer,
	"reason" "uptime_reason",
	"tls_days_left" integer,
	CONSTRAINT "uptime_results_check_id_at_pk" PRIMARY KEY("check_id","at")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" "role" NOT NULL,
	"permissions" "permission"[] DEFAULT '{}' NOT NULL,
	"overselling_enabled" boolean DEFAULT false NOT NULL,
	"totp_enabled" boolean DEFAULT false NOT NULL,
	"totp_secret" text,
	"totp_last_step" bigint,
	"suspended_at" timestamp (3) with time zone,
	"suspended_by" text,
	"deleted_at" timestamp (3) with time zone,
	"max_projects" integer,
	"max_domains" integer,
	"max_databases" integer,
	"max_mailboxes" integer,
	"max_sub_accounts" integer,
	"max_disk_mb" integer,
	"disk_over_since" timestamp (3) with time zone,
	"near_quotas" text[] DEFAULT '{}' NOT NULL,
	"parent_id" text,
	"uid" integer DEFAULT nextval('user_uid') NOT NULL,
	"locale" text,
	"timezone" text,
	"theme" "theme",
	"project_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_uid_unique" UNIQUE("uid")
);
--> statement-breakpoint
CREATE TABLE "wordpress_imports" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"status" "wordpress_import_status" DEFAULT 'RUNNING' NOT NULL,
	"step" "wordpress_import_step" DEFAULT 'RECEIVING' NOT NULL,
	"database_id" text,
	"staging_database" text,
	"files" integer DEFAULT 0 NOT NULL,
	"tables" integer DEFAULT 0 NOT NULL,
	"replaced_address" text,
	"deployment_id" text,
	"notes" text[] DEFAULT '{}' NOT NULL,
	"note_sentences" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error_code" text,
	"error_message" text,
	"error_sentences" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"worker_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_networks" ADD CONSTRAINT "account_networks_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_networks" ADD CONSTRAINT "account_networks_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "acme_challenges" ADD CONSTRAINT "acme_challenges_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_alert_mails" ADD CONSTRAINT "certificate_alert_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "container_disk" ADD CONSTRAINT "container_disk_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "container_slots" ADD CONSTRAINT "container_slots_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "container_slots" ADD CONSTRAINT "container_slots_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "container_slots" ADD CONSTRAINT "container_slots_network" FOREIGN KEY ("node_id","network") REFERENCES "public"."account_networks"("node_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_tests" ADD CONSTRAINT "delivery_tests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_tests" ADD CONSTRAINT "delivery_tests_mailbox_id_mailboxes_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployment_logs" ADD CONSTRAINT "deployment_logs_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disk_usage_history" ADD CONSTRAINT "disk_usage_history_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disk_usage" ADD CONSTRAINT "disk_usage_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dkim_keys" ADD CONSTRAINT "dkim_keys_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dkim_keys" ADD CONSTRAINT "dkim_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dmarc_reports" ADD CONSTRAINT "dmarc_reports_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dmarc_rows" ADD CONSTRAINT "dmarc_rows_report_id_dmarc_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."dmarc_reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dns_records" ADD CONSTRAINT "dns_records_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dns_zones" ADD CONSTRAINT "dns_zones_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_parent_id_domains_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "env_vars" ADD CONSTRAINT "env_vars_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "env_vars" ADD CONSTRAINT "env_vars_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_names" ADD CONSTRAINT "host_names_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_names" ADD CONSTRAINT "host_names_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD CONSTRAINT "mail_aliases_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_authentication" ADD CONSTRAINT "mail_authentication_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_domains" ADD CONSTRAINT "mail_domains_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_filter_settings" ADD CONSTRAINT "mail_filter_settings_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_import_positions" ADD CONSTRAINT "mailbox_import_positions_mailbox_id_mailboxes_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_imports" ADD CONSTRAINT "mailbox_imports_mailbox_id_mailboxes_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_imports" ADD CONSTRAINT "mailbox_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_channel_id_notification_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."notification_channels"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_subjects" ADD CONSTRAINT "notification_subjects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sftp_users" ADD CONSTRAINT "sftp_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sftp_users" ADD CONSTRAINT "sftp_users_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_pages" ADD CONSTRAINT "status_pages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traffic_points" ADD CONSTRAINT "traffic_points_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traffic_points" ADD CONSTRAINT "traffic_points_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traffic_totals" ADD CONSTRAINT "traffic_totals_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_checks" ADD CONSTRAINT "uptime_checks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_checks" ADD CONSTRAINT "uptime_checks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_hours" ADD CONSTRAINT "uptime_hours_check_id_uptime_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."uptime_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_incidents" ADD CONSTRAINT "uptime_incidents_check_id_uptime_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."uptime_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_results" ADD CONSTRAINT "uptime_results_check_id_uptime_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."uptime_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_imports" ADD CONSTRAINT "wordpress_imports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_imports" ADD CONSTRAINT "wordpress_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_imports" ADD CONSTRAINT "wordpress_imports_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_networks_subnet" ON "account_networks" USING btree ("node_id","subnet");--> statement-breakpoint
CREATE INDEX "account_networks_uid" ON "account_networks" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "acme_challenges_domain" ON "acme_challenges" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "api_tokens_user" ON "api_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("target_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "certificate_orders_name" ON "certificate_orders" USING btree ("hostname","created_at");--> statement-breakpoint
CREATE INDEX "certificate_orders_age" ON "certificate_orders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "certificate_orders_user" ON "certificate_orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "certificates_due" ON "certificates" USING btree ("renew_at") WHERE renew_at is not null;--> statement-breakpoint
CREATE INDEX "certificates_expiry" ON "certificates" USING btree ("valid_to");--> statement-breakpoint
CREATE INDEX "container_disk_project" ON "container_disk" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "container_slots_address" ON "container_slots" USING btree ("node_id","address");--> statement-breakpoint
CREATE UNIQUE INDEX "container_slots_deployment" ON "container_slots" USING btree ("deployment_id");--> statement-breakpoint
CREATE INDEX "container_slots_project" ON "container_slots" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "databases_name_key" ON "databases" USING btree ("node_id","type",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "databases_username_key" ON "databases" USING btree ("node_id","username");--> statement-breakpoint
CREATE INDEX "databases_list" ON "databases" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "databases_project" ON "databases" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "databases_unfinished" ON "databases" USING btree ("updated_at") WHERE status <> 'ACTIVE' or encrypted_next_password is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_tests_token" ON "delivery_tests" USING btree ("token");--> statement-breakpoint
CREATE INDEX "delivery_tests_user" ON "delivery_tests" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "delivery_tests_mailbox" ON "delivery_tests" USING btree ("mailbox_id");--> statement-breakpoint
CREATE INDEX "delivery_tests_created" ON "delivery_tests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "deployments_list" ON "deployments" USING btree ("project_id","seq");--> statement-breakpoint
CREATE INDEX "deployments_served" ON "deployments" USING btree ("user_id","started_at");--> statement-breakpoint
CREATE INDEX "deployments_logged" ON "deployments" USING btree ("user_id","seq") WHERE log_removed_at is null;--> statement-breakpoint
CREATE INDEX "deployments_open" ON "deployments" USING btree ("status","seq") WHERE status in ('QUEUED', 'BUILDING', 'DEPLOYING');--> statement-breakpoint
CREATE UNIQUE INDEX "dkim_keys_selector_key" ON "dkim_keys" USING btree ("domain_id","selector");--> statement-breakpoint
CREATE UNIQUE INDEX "dkim_keys_active" ON "dkim_keys" USING btree ("domain_id") WHERE status = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "dkim_keys_awaited" ON "dkim_keys" USING btree ("domain_id") WHERE status = 'ACTIVE' and signs_since is null;--> statement-breakpoint
CREATE INDEX "dkim_keys_user" ON "dkim_keys" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dmarc_reports_key" ON "dmarc_reports" USING btree ("domain_id","reporter","report_id");--> statement-breakpoint
CREATE INDEX "dmarc_reports_arrival" ON "dmarc_reports" USING btree ("domain_id","created_at");--> statement-breakpoint
CREATE INDEX "dmarc_reports_begin" ON "dmarc_reports" USING btree ("begin_at");--> statement-breakpoint
CREATE INDEX "dmarc_rows_list" ON "dmarc_rows" USING btree ("domain_id","day","messages","id");--> statement-breakpoint
CREATE INDEX "dmarc_rows_report" ON "dmarc_rows" USING btree ("report_id");--> statement-breakpoint
CREATE INDEX "dns_records_domain" ON "dns_records" USING btree ("domain_id","name");--> statement-breakpoint
CREATE INDEX "dns_zones_stale" ON "dns_zones" USING btree ("domain_id") WHERE applied_revision <> revision;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_route_key" ON "domains" USING btree ("hostname",coalesce(path_prefix, '')) WHERE status = 'ACTIVE';--> statement-breakpoint
CREATE UNIQUE INDEX "domains_claim_key" ON "domains" USING btree ("user_id","hostname",coalesce(path_prefix, ''));--> statement-breakpoint
CREATE INDEX "domains_list" ON "domains" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "domains_project" ON "domains" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "domains_parent" ON "domains" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "domains_zone" ON "domains" USING btree ("zone_id");--> statement-breakpoint
CREATE INDEX "domains_probe" ON "domains" USING btree ("probe_at") WHERE probe_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "env_vars_key" ON "env_vars" USING btree ("project_id","key");--> statement-breakpoint
CREATE INDEX "env_vars_database" ON "env_vars" USING btree ("database_id");--> statement-breakpoint
CREATE INDEX "host_names_project" ON "host_names" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_aliases_address_key" ON "mail_aliases" USING btree ("domain_id","local_part");--> statement-breakpoint
CREATE INDEX "mail_authentication_stale" ON "mail_authentication" USING btree ("domain_id") WHERE applied_revision <> revision;--> statement-breakpoint
CREATE INDEX "mail_authentication_checked" ON "mail_authentication" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "mail_domains_stale" ON "mail_domains" USING btree ("domain_id") WHERE applied_revision <> revision or is_opening;--> statement-breakpoint
CREATE INDEX "mail_filter_settings_stale" ON "mail_filter_settings" USING btree ("domain_id") WHERE applied_revision <> revision;--> statement-breakpoint
CREATE UNIQUE INDEX "mailbox_imports_open" ON "mailbox_imports" USING btree ("mailbox_id") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE UNIQUE INDEX "mailbox_imports_running" ON "mailbox_imports" USING btree ("user_id") WHERE status = 'RUNNING';--> statement-breakpoint
CREATE INDEX "mailbox_imports_queue" ON "mailbox_imports" USING btree ("queued_at") WHERE status = 'QUEUED';--> statement-breakpoint
CREATE INDEX "mailbox_imports_account" ON "mailbox_imports" USING btree ("user_id") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "mailbox_imports_list" ON "mailbox_imports" USING btree ("mailbox_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mailboxes_address_key" ON "mailboxes" USING btree ("domain_name","local_part") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "mailboxes_domain" ON "mailboxes" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "mailboxes_unmoved" ON "mailboxes" USING btree ("domain_name") WHERE (deleted_at is null) <> (kept_at is null);--> statement-breakpoint
CREATE INDEX "mailboxes_user" ON "mailboxes" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "mailboxes_purge" ON "mailboxes" USING btree ("purge_at") WHERE purge_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "metric_snapshots_recorded" ON "metric_snapshots" USING btree ("recorded_at","node_id");--> statement-breakpoint
CREATE INDEX "project_metrics_recorded" ON "project_metrics" USING btree ("minutes","recorded_at");--> statement-breakpoint
CREATE INDEX "notification_channels_user" ON "notification_channels" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_user" ON "notification_deliveries" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_channel" ON "notification_deliveries" USING btree ("channel_id","created_at");--> statement-breakpoint
CREATE INDEX "notification_deliveries_open" ON "notification_deliveries" USING btree ("due_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "notification_deliveries_created" ON "notification_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notification_subjects_settle" ON "notification_subjects" USING btree ("settle_at");--> statement-breakpoint
CREATE INDEX "notification_subjects_updated" ON "notification_subjects" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id") WHERE read_at is null;--> statement-breakpoint
CREATE INDEX "notifications_created" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_name_key" ON "projects" USING btree ("user_id","name") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "projects_files_stale" ON "projects" USING btree ("user_id") WHERE deleted_at is null and files_name is distinct from name;--> statement-breakpoint
CREATE INDEX "projects_list" ON "projects" USING btree ("user_id","created_at","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "push_deliveries_age" ON "push_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sftp_users_linux_username_key" ON "sftp_users" USING btree ("node_id","linux_username");--> statement-breakpoint
CREATE INDEX "sftp_users_stale" ON "sftp_users" USING btree ("id") WHERE applied_revision <> revision or removed_at is not null;--> statement-breakpoint
CREATE INDEX "traffic_points_age" ON "traffic_points" USING btree ("seconds","at");--> statement-breakpoint
CREATE INDEX "uptime_checks_due" ON "uptime_checks" USING btree ("next_run_at") WHERE next_run_at is not null;--> statement-breakpoint
CREATE INDEX "uptime_checks_list" ON "uptime_checks" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "uptime_checks_user" ON "uptime_checks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "uptime_hours_hour" ON "uptime_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "uptime_incidents_list" ON "uptime_incidents" USING btree ("check_id","started_at","id");--> statement-breakpoint
CREATE INDEX "uptime_incidents_end" ON "uptime_incidents" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "uptime_results_at" ON "uptime_results" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_parent" ON "users" USING btree ("parent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wordpress_imports_running" ON "wordpress_imports" USING btree ("project_id") WHERE status = 'RUNNING';--> statement-breakpoint
CREATE INDEX "wordpress_imports_list" ON "wordpress_imports" USING btree ("project_id","created_at");--> statement-breakpoint

-- Written by hand from here on: drizzle-kit knows neither functions nor triggers.

-- Live events: the database publishes row changes on the channel panel_events (infra/event-bus) in the transaction that makes them, so no writer
-- can forget to. There is one call of panel_tell for each table below.

CREATE FUNCTION "panel_tell_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE TG_ARGV[0];
  RETURN NULL;
END $$;
--> statement-breakpoint

-- Creates the statement-level triggers of a table; calling it again replaces them.
-- `told`: a query for audience, name, data and type over "changed", which holds the rows of the statement (and `gone`: deleted).
-- `watched`: expressions over a row $. An update is published only for rows where one of them changed.
-- More than 20 events for one audience and type in a statement are sent as one without ids. PostgreSQL drops duplicates within a transaction.
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
