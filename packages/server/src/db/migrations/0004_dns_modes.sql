CREATE TYPE "public"."dns_mode" AS ENUM('CONNECTED', 'MANAGED');--> statement-breakpoint
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
ALTER TABLE "domains" ADD COLUMN "dns_mode" "dns_mode" DEFAULT 'CONNECTED' NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "zone_id" text;--> statement-breakpoint
ALTER TABLE "dns_zones" ADD CONSTRAINT "dns_zones_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dns_zones_stale" ON "dns_zones" USING btree ("domain_id") WHERE applied_revision <> revision;--> statement-breakpoint
CREATE INDEX "domains_zone" ON "domains" USING btree ("zone_id");--> statement-breakpoint
-- Backfill: MANAGED is what has any record beyond its verification record.
UPDATE "domains" SET "dns_mode" = 'MANAGED' WHERE "status" = 'ACTIVE' AND "hostname" NOT LIKE '*.%' AND EXISTS (
	SELECT 1 FROM "dns_records" WHERE "dns_records"."domain_id" = "domains"."id" AND NOT ("type" = 'TXT' AND "name" LIKE '\_panel-challenge.%')
);--> statement-breakpoint
WITH RECURSIVE "tree" AS (
	SELECT "id", "id" AS "zone_id" FROM "domains" AS "top" WHERE "dns_mode" = 'MANAGED' AND NOT EXISTS (
		SELECT 1 FROM "domains" AS "above" WHERE "above"."id" = "top"."parent_id" AND "above"."dns_mode" = 'MANAGED'
	)
	UNION ALL
	SELECT "below"."id", "tree"."zone_id" FROM "domains" AS "below" JOIN "tree" ON "below"."parent_id" = "tree"."id" WHERE "below"."dns_mode" = 'MANAGED'
)
UPDATE "domains" SET "zone_id" = "tree"."zone_id" FROM "tree" WHERE "domains"."id" = "tree"."id";--> statement-breakpoint
INSERT INTO "dns_zones" ("domain_id", "name", "serial")
SELECT "id", "hostname", to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')::bigint * 100 FROM "domains" WHERE "zone_id" = "id";
