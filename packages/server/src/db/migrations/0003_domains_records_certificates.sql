CREATE TYPE "public"."acme_challenge_type" AS ENUM('http-01', 'dns-01');--> statement-breakpoint
CREATE TYPE "public"."certificate_status" AS ENUM('PENDING', 'ACTIVE', 'EXPIRING_SOON', 'EXPIRED', 'ERROR');--> statement-breakpoint
CREATE TYPE "public"."certificate_type" AS ENUM('LETS_ENCRYPT', 'CUSTOM', 'SELF_SIGNED');--> statement-breakpoint
CREATE TYPE "public"."dns_record_type" AS ENUM('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA');--> statement-breakpoint
CREATE TYPE "public"."domain_status" AS ENUM('PENDING', 'ACTIVE', 'ERROR');--> statement-breakpoint
CREATE TYPE "public"."certificate_order_outcome" AS ENUM('open', 'issued', 'failed');--> statement-breakpoint
CREATE TABLE "acme_challenges" (
	"token" text PRIMARY KEY NOT NULL,
	"domain_id" text NOT NULL,
	"type" "acme_challenge_type" NOT NULL,
	"name" text,
	"value" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificate_orders" (
	"id" text PRIMARY KEY NOT NULL,
	"hostname" text NOT NULL,
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
	"last_checked_at" timestamp (3) with time zone,
	"last_renewed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "certificates_domain_id_unique" UNIQUE("domain_id")
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
CREATE TABLE "domains" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"hostname" text NOT NULL,
	"status" "domain_status" DEFAULT 'PENDING' NOT NULL,
	"verification_token" text,
	"project_id" text,
	"parent_id" text,
	"path_prefix" text,
	"verified_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "host_names" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "host_names" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "acme_challenges" ADD CONSTRAINT "acme_challenges_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dns_records" ADD CONSTRAINT "dns_records_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_parent_id_domains_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "acme_challenges_domain" ON "acme_challenges" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "certificate_orders_name" ON "certificate_orders" USING btree ("hostname","created_at");--> statement-breakpoint
CREATE INDEX "certificates_due" ON "certificates" USING btree ("renew_at") WHERE renew_at is not null;--> statement-breakpoint
CREATE INDEX "certificates_expiry" ON "certificates" USING btree ("valid_to");--> statement-breakpoint
CREATE INDEX "dns_records_domain" ON "dns_records" USING btree ("domain_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_route_key" ON "domains" USING btree ("hostname",coalesce(path_prefix, '')) WHERE status = 'ACTIVE';--> statement-breakpoint
CREATE UNIQUE INDEX "domains_claim_key" ON "domains" USING btree ("user_id","hostname",coalesce(path_prefix, ''));--> statement-breakpoint
CREATE INDEX "domains_list" ON "domains" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "domains_project" ON "domains" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "domains_parent" ON "domains" USING btree ("parent_id");--> statement-breakpoint
ALTER TABLE "host_names" ADD CONSTRAINT "host_names_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_names" ADD CONSTRAINT "host_names_holder" CHECK (("host_names"."project_id" is null) <> ("host_names"."user_id" is null));