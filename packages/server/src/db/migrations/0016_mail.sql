CREATE TYPE "public"."dkim_key_status" AS ENUM('ACTIVE', 'RETIRING', 'RETIRED');--> statement-breakpoint
ALTER TYPE "public"."disk_usage_kind" ADD VALUE 'MAIL';--> statement-breakpoint
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
CREATE TABLE "mail_aliases" (
	"id" text PRIMARY KEY NOT NULL,
	"domain_id" text NOT NULL,
	"local_part" text NOT NULL,
	"targets" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
ALTER TABLE "dkim_keys" ADD CONSTRAINT "dkim_keys_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dkim_keys" ADD CONSTRAINT "dkim_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD CONSTRAINT "mail_aliases_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_domains" ADD CONSTRAINT "mail_domains_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_domain_id_mail_domains_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."mail_domains"("domain_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dkim_keys_selector_key" ON "dkim_keys" USING btree ("domain_id","selector");--> statement-breakpoint
CREATE UNIQUE INDEX "dkim_keys_active" ON "dkim_keys" USING btree ("domain_id") WHERE status = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "dkim_keys_user" ON "dkim_keys" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_aliases_address_key" ON "mail_aliases" USING btree ("domain_id","local_part");--> statement-breakpoint
CREATE INDEX "mail_domains_stale" ON "mail_domains" USING btree ("domain_id") WHERE applied_revision <> revision or is_opening;--> statement-breakpoint
CREATE UNIQUE INDEX "mailboxes_address_key" ON "mailboxes" USING btree ("domain_name","local_part") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "mailboxes_domain" ON "mailboxes" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "mailboxes_unmoved" ON "mailboxes" USING btree ("domain_name") WHERE (deleted_at is null) <> (kept_at is null);--> statement-breakpoint
CREATE INDEX "mailboxes_user" ON "mailboxes" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "mailboxes_purge" ON "mailboxes" USING btree ("purge_at") WHERE purge_at is not null;