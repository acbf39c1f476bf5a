CREATE TABLE "allowed_networks" (
	"id" text PRIMARY KEY NOT NULL,
	"node_id" text NOT NULL,
	"network" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bans" (
	"id" text PRIMARY KEY NOT NULL,
	"node_id" text NOT NULL,
	"address" text NOT NULL,
	"reason" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"offences" integer DEFAULT 0 NOT NULL,
	"banned_at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	"created_by" text
);
--> statement-breakpoint
ALTER TABLE "allowed_networks" ADD CONSTRAINT "allowed_networks_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowed_networks" ADD CONSTRAINT "allowed_networks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bans" ADD CONSTRAINT "bans_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bans" ADD CONSTRAINT "bans_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "allowed_networks_network" ON "allowed_networks" USING btree ("node_id","network");--> statement-breakpoint
CREATE UNIQUE INDEX "bans_address" ON "bans" USING btree ("node_id","address");--> statement-breakpoint
CREATE INDEX "bans_time" ON "bans" USING btree ("node_id","banned_at","id");