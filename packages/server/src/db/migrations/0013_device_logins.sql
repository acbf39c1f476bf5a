CREATE TABLE "device_logins" (
	"id" text PRIMARY KEY NOT NULL,
	"device_code_hash" text NOT NULL,
	"user_code_hash" text NOT NULL,
	"name" text NOT NULL,
	"scope" "token_scope" NOT NULL,
	"ip" text,
	"user_agent" text,
	"user_id" text,
	"is_approved" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"polled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "device_logins_device_code_hash_unique" UNIQUE("device_code_hash"),
	CONSTRAINT "device_logins_user_code_hash_unique" UNIQUE("user_code_hash")
);
--> statement-breakpoint
ALTER TABLE "device_logins" ADD CONSTRAINT "device_logins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_logins_user" ON "device_logins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "device_logins_expiry" ON "device_logins" USING btree ("expires_at");