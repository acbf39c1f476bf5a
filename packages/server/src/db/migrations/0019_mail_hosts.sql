CREATE TYPE "public"."mta_sts_mode" AS ENUM('testing', 'enforce', 'none');--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "is_mail_host" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "probe_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mail_authentication" ADD COLUMN "found_records" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_authentication" ADD COLUMN "mta_sts_mode" "mta_sts_mode" DEFAULT 'testing' NOT NULL;--> statement-breakpoint
CREATE INDEX "domains_probe" ON "domains" USING btree ("probe_at") WHERE probe_at is not null;